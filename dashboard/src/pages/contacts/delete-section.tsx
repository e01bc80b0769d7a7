import { useState } from "react";
import { useLocation } from "wouter";
import { type Contact, contactName, useContactConversations, useDeleteContact } from "../../api/contacts.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Section } from "../../components/page.tsx";
import { toast } from "../../components/toast.tsx";
import { t } from "../../lib/texts.ts";
import css from "./contacts.module.css";

export function DeleteSection({ contact }: { contact: Contact }) {
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const remove = useDeleteContact(contact.id);
  const hasConversations = (useContactConversations(contact.id).data?.data.length ?? 0) > 0;
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast(t("Contact deleted."));
        navigate("/contacts", { replace: true });
      },
    });
  return (
    <Section title={t("Delete")}>
      <p className={css.quiet}>{t("A contact with conversations cannot be deleted; block them instead.")}</p>
      <div className={css.choices}>
        <Button variant="dangerQuiet" disabled={hasConversations} onClick={() => setAsking(true)}>
          {t("Delete contact")}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          open
          title={t("Delete {name}?", { name: contactName(contact) })}
          confirm={t("Delete contact")}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={confirm}
          onClose={close}
        >
          {t("Their details, attributes and notes are deleted permanently.")}
        </ConfirmDialog>
      )}
    </Section>
  );
}
