import type { Label } from "@parley/client";
import { Command } from "cmdk";
import { Tag } from "lucide-react";
import { Dialog } from "../../../components/dialog.tsx";
import { language } from "../../../lib/language.ts";
import { t } from "../../../lib/texts.ts";
import css from "../inbox.module.css";

interface AllLabelsProps {
  labels: readonly Label[];
  onChoose: (name: string) => void;
  onClose: () => void;
}

/** Every label with the number of its conversations, for workspaces with more of them than a menu has room for. */
export function AllLabels({ labels, onChoose, onClose }: AllLabelsProps) {
  const choose = (name: string) => {
    onClose();
    onChoose(name);
  };
  return (
    <Dialog open onClose={onClose} title={t("Labels")}>
      <Command className={css.palette} label={t("Search labels")}>
        <Command.Input placeholder={t("Search labels")} />
        <Command.List>
          <Command.Empty>{t("Nothing found.")}</Command.Empty>
          {labels.map(({ name, count }) => (
            <Command.Item key={name} value={name} onSelect={() => choose(name)}>
              <Tag size={14} aria-hidden />
              <span className={css.hit}>
                <span className={css.hitTitle}>{name}</span>
              </span>
              <span className={css.hitTime}>{count.toLocaleString(language)}</span>
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}
