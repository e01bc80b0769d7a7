import { useState } from "react";
import { type Contact, useBlockContact, useEndSessions } from "../../api/contacts.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Section } from "../../components/page.tsx";
import { toast } from "../../components/toast.tsx";
import css from "./contacts.module.css";

/** Whether the contact may write, and in which browsers their chat is open. */
export function AccessSection({ contact: { id, blocked } }: { contact: Contact }) {
  const [isBlocking, setBlocking] = useState(false);
  const block = useBlockContact(id);
  const end = useEndSessions(id);
  const fail = (error: Error) => toast(error.message, { failed: true });
  const endSessions = () =>
    end.mutate(undefined, { onSuccess: () => toast("The contact's chat sessions have ended."), onError: fail });
  const unblock = () => block.mutate(false, { onSuccess: () => toast("Contact unblocked."), onError: fail });
  return (
    <Section title="Access">
      <p className={css.quiet}>
        {blocked
          ? "This contact is blocked: their messages in the chat are refused, with a neutral sentence."
          : "Ending the sessions closes the contact's chat in every browser. Blocking refuses their messages too."}
      </p>
      <div className={css.choices}>
        <Button busy={end.isPending} onClick={endSessions}>
          End sessions
        </Button>
        {blocked ? (
          <Button busy={block.isPending} onClick={unblock}>
            Unblock
          </Button>
        ) : (
          <Button variant="dangerQuiet" onClick={() => setBlocking(true)}>
            Block
          </Button>
        )}
      </div>
      {isBlocking && (
        <ConfirmDialog
          open
          title="Block this contact?"
          confirm="Block"
          busy={block.isPending}
          error={block.error}
          onConfirm={() => block.mutate(true, { onSuccess: () => setBlocking(false) })}
          onClose={() => setBlocking(false)}
        >
          Their chat sessions end and their messages are refused. You can unblock them at any time.
        </ConfirmDialog>
      )}
    </Section>
  );
}
