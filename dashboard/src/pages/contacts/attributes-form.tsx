import { Plus, X } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { type Contact, useReloadContact, useUpdateContact } from "../../api/contacts.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Conflict } from "../../components/conflict.tsx";
import { Input } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { useUnsavedGuard } from "../../lib/unsaved-guard.tsx";
import { type AttributeRow, attributesOf, rowsOf } from "./attribute-rows.ts";
import css from "./contacts.module.css";

interface AttributesFormProps {
  contact: Contact;
  /** The edit has ended; without it the form stays. */
  onDone?: () => void;
}

/** Free fields of a contact. What another user changes meanwhile is shown until the first edit here. */
export function AttributesForm({ contact, onDone }: AttributesFormProps) {
  const [edited, setRows] = useState<AttributeRow[] | null>(null);
  const [base, setBase] = useState(contact);
  const reload = useReloadContact(contact.id);
  const [problem, setProblem] = useState<string | null>(null);
  const update = useUpdateContact(contact.id);
  const leave = useUnsavedGuard(edited !== null);
  const rows = edited ?? rowsOf(contact.attributes);
  const [added, setAdded] = useState<number | null>(null);
  // It stays while the other buttons come and go, and takes focus from those that go.
  const addButton = useRef<HTMLButtonElement>(null);
  const setEdited = (next: AttributeRow[] | null) => {
    if (edited === null) setBase(contact);
    setRows(next);
  };
  const editAndFocus = (next: AttributeRow[] | null) => {
    setEdited(next);
    addButton.current?.focus();
  };
  const cancel = () => {
    editAndFocus(null);
    onDone?.();
  };
  const discard = () => {
    setEdited(null);
    update.reset();
    void reload();
  };
  const change = (key: number, part: Partial<AttributeRow>) =>
    setEdited(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () => {
    const key = Math.max(0, ...rows.map((row) => row.key)) + 1;
    setEdited([...rows, { key, name: "", value: "", isJson: false }]);
    setAdded(key);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const result = attributesOf(rows);
    setProblem("problem" in result ? result.problem : null);
    if ("problem" in result) return;
    update.mutate(
      { base, changes: result },
      {
        onSuccess: () => {
          editAndFocus(null);
          toast(t("Attributes saved."));
          onDone?.();
        },
      },
    );
  };
  const error = problem ?? update.error?.details.attributes?.[0] ?? update.error?.message;
  return (
    <form className={css.form} noValidate onSubmit={submit}>
      {leave}
      {rows.length === 0 && <p className={css.quiet}>{t("No attributes yet.")}</p>}
      <AttributeRows
        rows={rows}
        added={added}
        onChange={change}
        onRemove={(removed) => editAndFocus(rows.filter(({ key }) => key !== removed))}
      />
      {update.error?.status === 412 ? (
        <Conflict what={t("contact")} onReload={discard} />
      ) : (
        error && <Notice tone="danger">{error}</Notice>
      )}
      <div className={css.tail}>
        <Button ref={addButton} icon={<Plus size={14} aria-hidden />} onClick={add}>
          {t("Add attribute")}
        </Button>
        {(edited !== null || onDone) && (
          <>
            <Button variant="ghost" onClick={cancel}>
              {t("Cancel")}
            </Button>
            <Button type="submit" variant="primary" busy={update.isPending}>
              {t("Save attributes")}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}

interface AttributeRowsProps {
  rows: readonly AttributeRow[];
  /** The row that was added last: its name is typed next. */
  added: number | null;
  onChange: (key: number, part: Partial<AttributeRow>) => void;
  onRemove: (key: number) => void;
}

const AttributeRows = ({ rows, added, onChange, onRemove }: AttributeRowsProps) => (
  <ul className={css.attributes} aria-label={t("Attributes")}>
    {rows.map((row, index) => (
      <li key={row.key}>
        <Input
          aria-label={t("Name of attribute {index}", { index: index + 1 })}
          placeholder={t("Name")}
          ref={row.key === added ? focusOnce : undefined}
          value={row.name}
          maxLength={255}
          onChange={(event) => onChange(row.key, { name: event.target.value })}
        />
        <Input
          aria-label={t("Value of attribute {index}", { index: index + 1 })}
          placeholder={t("Value")}
          value={row.value}
          onChange={(event) => onChange(row.key, { value: event.target.value })}
        />
        <IconButton
          label={t("Remove attribute {index}", { index: index + 1 })}
          icon={<X size={14} aria-hidden />}
          onClick={() => onRemove(row.key)}
        />
      </li>
    ))}
  </ul>
);

const focusOnce = (field: HTMLInputElement | null) => field?.focus();
