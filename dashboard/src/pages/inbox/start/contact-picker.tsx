import type { Contact } from "@parley/client";
import { Command } from "cmdk";
import { useId, useState } from "react";
import { contactName, useContacts } from "../../../api/contacts.ts";
import { t } from "../../../lib/texts.ts";
import { useDelayedText } from "../../../lib/use-delayed-text.ts";
import css from "./start.module.css";

/** A contact, or one who is created with the conversation. */
export type Person = { title: string; detail: string | null } & ({ id: number } | { email: string });

export const personOf = (contact: Contact): Person => ({
  id: contact.id,
  title: contactName(contact),
  detail: contact.name ? contact.email : null,
});

const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;
const SHOWN_MAX = 6;

interface ContactPickerProps {
  error: string | undefined;
  onPick: (person: Person) => void;
}

/** Searches contacts; an address that none of them has becomes a new one. */
export function ContactPicker({ error, onPick }: ContactPickerProps) {
  const [search, setSearch] = useState("");
  const [text, setText] = useDelayedText(search, (next) => setSearch(next.trim()));
  const errorId = useId();
  const words = text.trim();
  const found = useContacts({ search });
  const contacts = (found.data ?? []).slice(0, SHOWN_MAX);
  const isNew = EMAIL.test(words) && !contacts.some(({ email }) => email?.toLowerCase() === words.toLowerCase());
  const isEmpty = contacts.length === 0 && !isNew;
  const [marked, setMarked] = useState("");
  // The list changes under it: what Enter takes is always one of those that are shown.
  const values = [...contacts.map(({ id }) => String(id)), ...(isNew ? [words] : [])];
  const value = values.includes(marked) ? marked : (values[0] ?? "");
  return (
    <Command className={css.picker} shouldFilter={false} label={t("Contact")} value={value} onValueChange={setMarked}>
      <span className={css.label}>{t("Contact")}</span>
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder={t("Name, e-mail address or phone number")}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
      />
      {error && (
        <p className={css.error} id={errorId}>
          {error}
        </p>
      )}
      {isEmpty && (
        <p className={css.empty} role="status">
          {found.isFetching ? t("Searching") : t("Nobody matches. Type an e-mail address to write to someone new.")}
        </p>
      )}
      <Command.List label={t("Contacts")} hidden={isEmpty}>
        {contacts.map((contact) => (
          <Command.Item key={contact.id} value={String(contact.id)} onSelect={() => onPick(personOf(contact))}>
            <span>{contactName(contact)}</span> {contact.name && contact.email && <small>{contact.email}</small>}
          </Command.Item>
        ))}
        {isNew && (
          <Command.Item value={words} onSelect={() => onPick({ email: words, title: words, detail: t("New contact") })}>
            <span>{words}</span> <small>{t("New contact")}</small>
          </Command.Item>
        )}
      </Command.List>
    </Command>
  );
}
