import { X } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import css from "./thread.module.css";

interface LabelDialogProps {
  labels: readonly string[];
  /** Labels in use elsewhere, to choose from. */
  known: readonly string[];
  onClose: () => void;
  onSave: (labels: string[]) => void;
}

export function LabelDialog({ labels, known, onClose, onSave }: LabelDialogProps) {
  const [chosen, setChosen] = useState<string[]>([...labels]);
  const [text, setText] = useState("");
  const options = useId();
  const add = (name: string) => {
    const label = name.trim();
    if (label !== "" && !chosen.includes(label)) setChosen([...chosen, label]);
    setText("");
  };
  const save = () => onSave(text.trim() ? [...chosen, text.trim()] : chosen);
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
      <Field label="Add a label" hint="Enter adds it. Labels can be filtered by in the list.">
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
