import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { type ApiError, reasonOf } from "../../../api/client.ts";
import { type Conversation, changeConversations } from "../../../api/conversations.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Notice } from "../../../components/notice.tsx";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";
import css from "../thread/thread.module.css";
import { LabelField } from "./label-field.tsx";

interface LabelDialogProps {
  conversation: Conversation;
  onClose: () => void;
}

export function LabelDialog({ conversation, onClose }: LabelDialogProps) {
  const client = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const [before] = useState<readonly string[]>(conversation.labels);
  const [chosen, setChosen] = useState<string[]>([...before]);
  const [error, setError] = useState<string | null>(null);
  const [text, setText] = useState("");
  const add = (name: string) => {
    const label = name.trim();
    if (label !== "" && !chosen.includes(label)) setChosen([...chosen, label]);
    setText("");
  };
  /** Only what was changed here: labels that a colleague added meanwhile stay. Returns why it failed. */
  const apply = async (added: string[], removed: string[]): Promise<string | null> => {
    const set = {
      ...(added.length > 0 ? { add_labels: added } : {}),
      ...(removed.length > 0 ? { remove_labels: removed } : {}),
    };
    const result = await changeConversations(client, { ids: [conversation.id], set }).catch((failure: ApiError) =>
      reasonOf(failure),
    );
    return typeof result === "string" ? result : (result.failed[0]?.message ?? null);
  };
  const save = async () => {
    const labels = [...new Set([...chosen, ...(text.trim() ? [text.trim()] : [])])];
    const added = labels.filter((name) => !before.includes(name));
    const removed = before.filter((name) => !labels.includes(name));
    if (added.length + removed.length === 0) return onClose();
    setSaving(true);
    const failure = await apply(added, removed);
    setSaving(false);
    if (failure !== null) return setError(failure);
    onClose();
    const undo = async () => {
      const kept = await apply(removed, added);
      toast(kept ?? t("Undone"), { failed: kept !== null });
    };
    toast(t("Labels changed"), { action: { label: t("Undo"), run: () => void undo() } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Labels")}
      onSubmit={() => (text.trim() ? add(text) : void save())}
      footer={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button variant="primary" busy={isSaving} onClick={() => void save()}>
            {t("Save labels")}
          </Button>
        </>
      }
    >
      {error && <Notice tone="danger">{error}</Notice>}
      <LabelField
        label={t("Add a label")}
        hint={t("Enter adds it. The list can show one label alone.")}
        value={text}
        chosen={chosen}
        onChange={setText}
      />
      <ul className={css.labels}>
        {chosen.map((name) => (
          <li key={name}>
            <Button
              size="small"
              icon={<X size={12} aria-hidden />}
              aria-label={t("Remove {name}", { name })}
              onClick={() => setChosen(chosen.filter((one) => one !== name))}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
