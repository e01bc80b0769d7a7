import { useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { cachedConversation } from "../../../api/conversations.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { t } from "../../../lib/texts.ts";
import { LabelField } from "../details/label-field.tsx";
import css from "../thread/thread.module.css";
import type { InboxActions } from "../use-inbox-actions.ts";
import { countOf } from "./count-of.ts";

interface BulkLabelDialogProps {
  selected: ReadonlySet<number>;
  actions: InboxActions;
  onClose: () => void;
}

/** Adds labels to all selected conversations, and removes labels from those that have them. */
export function BulkLabelDialog({ selected, actions, onClose }: BulkLabelDialogProps) {
  const client = useQueryClient();
  const ids = [...selected];
  // Labels that some of them have.
  const present = [...new Set(ids.flatMap((id) => cachedConversation(client, id)?.labels ?? []))].sort();
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [text, setText] = useState("");
  const typed = text.trim();
  const toAdd = [...new Set([...added, ...(typed ? [typed] : [])])];
  const save = () => {
    onClose();
    const toRemove = removed.filter((one) => !toAdd.includes(one));
    if (toAdd.length + toRemove.length === 0) return;
    actions.changeLabelsOfSelected({
      ...(toAdd.length > 0 ? { add_labels: toAdd } : {}),
      ...(toRemove.length > 0 ? { remove_labels: toRemove } : {}),
    });
  };
  const add = () => {
    setAdded(toAdd);
    setText("");
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Labels of {ids}", { ids: countOf(ids) })}
      onSubmit={() => (typed ? add() : save())}
      footer={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button variant="primary" onClick={save}>
            {t("Save labels")}
          </Button>
        </>
      }
    >
      <LabelField
        label={t("Add a label to all of them")}
        hint={t("Enter adds it.")}
        value={text}
        chosen={added}
        onChange={setText}
      />
      {added.length > 0 && (
        <ul className={css.labels} aria-label={t("To add")}>
          {added.map((name) => (
            <li key={name}>
              <Button
                size="small"
                icon={<Plus size={12} aria-hidden />}
                aria-label={t("Do not add {name}", { name })}
                onClick={() => setAdded(added.filter((one) => one !== name))}
              >
                {name}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {present.length > 0 && (
        <>
          <p>{t("Choose the labels to remove:")}</p>
          <ul className={css.labels} aria-label={t("To remove")}>
            {present.map((name) => (
              <li key={name}>
                <Button
                  size="small"
                  variant={removed.includes(name) ? "danger" : "secondary"}
                  icon={<X size={12} aria-hidden />}
                  aria-label={t("Remove {name}", { name })}
                  aria-pressed={removed.includes(name)}
                  onClick={() =>
                    setRemoved(removed.includes(name) ? removed.filter((one) => one !== name) : [...removed, name])
                  }
                >
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
