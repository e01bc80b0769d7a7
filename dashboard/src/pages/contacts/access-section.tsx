import { useState } from "react";
import { type Contact, useBlockContact, useEndSessions } from "../../api/contacts.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Section } from "../../components/page.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import css from "./contacts.module.css";

/** Whether the contact may write, and in which browsers their chat is open. */
export function AccessSection({ contact: { id, blocked } }: { contact: Contact }) {
  const [isBlocking, setBlocking] = useState(false);
  const block = useBlockContact(id);
  const end = useEndSessions(id);
  const fail = (error: Error) => toast(error.message, { failed: true });
  const endSessions = () =>
    end.mutate(undefined, { onSuccess: () => toast(t("The contact's chat sessions have ended.")), onError: fail });
  const unblock = () => block.mutate(false, { onSuccess: () => toast(t("Contact unblocked.")), onError: fail });
  return (
    <Section title={t("Access")}>
      <p className={css.quiet}>
        {blocked
          ? t("This contact is blocked: their messages in the chat are refused, with a neutral sentence.")
          : t("Ending the sessions closes the contact's chat in every browser. Blocking refuses their messages too.")}
      </p>
      <div className={css.choices}>
        <Button busy={end.isPending} onClick={endSessions}>
          {t("End sessions")}
        </Button>
        {blocked ? (
          <Button busy={block.isPending} onClick={unblock}>
            {t("Unblock")}
          </Button>
        ) : (
          <Button variant="dangerQuiet" onClick={() => setBlocking(true)}>
            {t("Block")}
          </Button>
        )}
      </div>
      {isBlocking && (
        <ConfirmDialog
          open
          title={t("Block this contact?")}
          confirm={t("Block")}
          busy={block.isPending}
          error={block.error}
          onConfirm={() => block.mutate(true, { onSuccess: () => setBlocking(false) })}
          onClose={() => setBlocking(false)}
        >
          {t("Their chat sessions end and their messages are refused. You can unblock them at any time.")}
        </ConfirmDialog>
      )}
    </Section>
  );
}
