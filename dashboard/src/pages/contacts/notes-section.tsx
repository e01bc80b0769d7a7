import { X } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { type ContactNote, useAddNote, useContactNotes, useDeleteNote } from "../../api/contacts.ts";
import { useIsManager, useSession } from "../../api/session.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Textarea } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Notice } from "../../components/notice.tsx";
import { Section } from "../../components/page.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import { useUnsavedGuard } from "../../lib/unsaved-guard.tsx";
import css from "./contacts.module.css";

/** What colleagues should know. */
export function NotesSection({ contactId }: { contactId: number }) {
  const notes = useContactNotes(contactId);
  const add = useAddNote(contactId);
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const leave = useUnsavedGuard(text.trim() !== "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") add.mutate(text, { onSuccess: () => setText("") });
  };
  return (
    <Section title={t("Notes")} description={t("For your colleagues. The contact never sees them.")}>
      <form className={css.form} onSubmit={submit}>
        {leave}
        <Textarea
          ref={field}
          aria-label={t("New note")}
          placeholder={t("What should your colleagues know?")}
          rows={2}
          maxLength={4000}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {add.error && <Notice tone="danger">{add.error.details.body?.[0] ?? add.error.message}</Notice>}
        <div className={css.end}>
          <Button type="submit" busy={add.isPending} disabled={text.trim() === ""}>
            {t("Add note")}
          </Button>
        </div>
      </form>
      <Loaded query={notes} skeleton={<SkeletonRows rows={2} />}>
        {(list) =>
          list.length === 0 ? null : (
            <ul className={css.notes} aria-label={t("Notes")}>
              {list.map((note) => (
                <Note key={note.id} contactId={contactId} note={note} onDeleted={() => field.current?.focus()} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

interface NoteProps {
  contactId: number;
  note: ContactNote;
  /** Its button is gone then, and focus has to go somewhere near. */
  onDeleted: () => void;
}

function Note({ contactId, note, onDeleted }: NoteProps) {
  const { user } = useSession();
  const isManager = useIsManager();
  const remove = useDeleteNote(contactId);
  const onError = (error: Error) => toast(error.message, { failed: true });
  const onSuccess = () => {
    toast(t("Note deleted."));
    onDeleted();
  };
  return (
    <li>
      <div className={css.noteHead}>
        <b>{note.author.name}</b>
        <span className={css.quiet}>
          <Time at={note.created_at} />
        </span>
        {(isManager || note.author.id === user.id) && (
          <IconButton
            size="small"
            label={t("Delete the note of {name}", { name: note.author.name })}
            icon={<X size={14} aria-hidden />}
            disabled={remove.isPending}
            onClick={() => remove.mutate(note.id, { onSuccess, onError })}
          />
        )}
      </div>
      <p className={css.noteBody} dir="auto">
        {note.body}
      </p>
    </li>
  );
}
