import { X } from "lucide-react";
import { useId, useState } from "react";
import { type Conversation, useLabels } from "../../api/conversations.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import css from "./thread.module.css";
import { useChangeWithUndo } from "./use-change-with-undo.ts";

interface LabelDialogProps {
  conversation: Conversation;
  onClose: () => void;
}

export function LabelDialog({ conversation, onClose }: LabelDialogProps) {
  const change = useChangeWithUndo();
  // Labels in use elsewhere, to choose from.
  const known = useLabels().data?.map(({ name }) => name) ?? [];
  const [chosen, setChosen] = useState<string[]>([...conversation.labels]);
  const [text, setText] = useState("");
  const options = useId();
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
      <Field label="Add a label" hint="Enter adds it. The list can show one label alone.">
        {(control) => (
          <Input
            {...control}
            list={options}
            value={text}
            maxLength={64}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <datalist id={options}>
        {known
          .filter((name) => !chosen.includes(name))
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
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
