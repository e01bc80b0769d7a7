import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { LabelField } from "../details/label-field.tsx";
import css from "../thread/thread.module.css";

interface BulkLabelDialogProps {
  title: string;
  /** Labels that some of the selected conversations have. */
  present: readonly string[];
  onSave: (change: { add: string[]; remove: string[] }) => void;
  onClose: () => void;
}

/** Adds labels to all selected conversations, and removes labels from those that have them. */
export function BulkLabelDialog({ title, present, onSave, onClose }: BulkLabelDialogProps) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [text, setText] = useState("");
  const typed = text.trim();
  const toAdd = [...new Set([...added, ...(typed ? [typed] : [])])];
  const save = () => {
    onClose();
    if (toAdd.length + removed.length > 0)
      onSave({ add: toAdd, remove: removed.filter((one) => !toAdd.includes(one)) });
  };
  const add = () => {
    setAdded(toAdd);
    setText("");
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      onSubmit={() => (typed ? add() : save())}
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
        label="Add a label to all of them"
        hint="Enter adds it."
        value={text}
        chosen={added}
        onChange={setText}
      />
      {added.length > 0 && (
        <ul className={css.labels} aria-label="To add">
          {added.map((name) => (
            <li key={name}>
              <Button
                size="small"
                icon={<Plus size={12} aria-hidden />}
                aria-label={`Do not add ${name}`}
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
          <p>Choose the labels to remove:</p>
          <ul className={css.labels} aria-label="To remove">
            {present.map((name) => (
              <li key={name}>
                <Button
                  size="small"
                  variant={removed.includes(name) ? "danger" : "secondary"}
                  icon={<X size={12} aria-hidden />}
                  aria-label={`Remove ${name}`}
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
