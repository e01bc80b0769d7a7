import { X } from "lucide-react";
import { useState } from "react";
import type { Conversation } from "../../api/conversations.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { LabelField } from "./label-field.tsx";
import css from "./thread.module.css";
import { useChangeWithUndo } from "./use-change-with-undo.ts";

interface LabelDialogProps {
  conversation: Conversation;
  onClose: () => void;
}

export function LabelDialog({ conversation, onClose }: LabelDialogProps) {
  const change = useChangeWithUndo();
  const [chosen, setChosen] = useState<string[]>([...conversation.labels]);
  const [text, setText] = useState("");
  const add = (name: string) => {
    const label = name.trim();
    if (label !== "" && !chosen.includes(label)) setChosen([...chosen, label]);
    setText("");
  };
  const save = () => {
    onClose();
    const labels = [...new Set([...chosen, ...(text.trim() ? [text.trim()] : [])])];
    change(conversation.id, { labels }, "Labels changed");
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Labels"
      onSubmit={() => (text.trim() ? add(text) : save())}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={save}>
            Save labels
          </Button>
        </>
      }
    >
      <LabelField
        label="Add a label"
        hint="Enter adds it. The list can show one label alone."
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
              aria-label={`Remove ${name}`}
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
