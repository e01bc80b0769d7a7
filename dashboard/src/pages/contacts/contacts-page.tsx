import { ContactRound, SearchX } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { type Contact, contactHref, contactName, useContacts } from "../../api/contacts.ts";
import { Button } from "../../components/button.tsx";
import { SearchInput } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page } from "../../components/page.tsx";
import { EmptyState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";
import css from "./contacts.module.css";

export function ContactsPage() {
  const [{ search }, change] = useSearchState(["search"]);
  const contacts = useContacts(search);
  return (
    <Page title="Contacts" description="Everybody who has written to you, or whom your apps have created.">
      <Card>
        <div className={css.tools}>
          <Search value={search} onChange={(next) => change({ search: next })} />
        </div>
        <Loaded query={contacts} skeleton={<SkeletonRows rows={8} />}>
          {(list) =>
            list.length > 0 ? (
              <Table label="Contacts" columns={["Name", "E-mail", "Phone", "External id", "Updated"]} linked>
                {list.map((contact) => (
                  <ContactRow key={contact.id} contact={contact} />
                ))}
              </Table>
            ) : search === "" ? (
              <EmptyState icon={<ContactRound size={20} />} title="No contacts yet">
                A contact is created with the first message of a customer, or by your apps with POST /contacts.
              </EmptyState>
            ) : (
              <EmptyState
                icon={<SearchX size={20} />}
                title="No contact matches"
                actions={<Button onClick={() => change({ search: "" })}>Clear the search</Button>}
              >
                No name, e-mail address, phone number or external id contains “{search}”.
              </EmptyState>
            )
          }
        </Loaded>
        {contacts.hasNextPage && (
          <div className={css.more}>
            <Button busy={contacts.isFetchingNextPage} onClick={() => contacts.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </Card>
    </Page>
  );
}

const ContactRow = ({ contact }: { contact: Contact }) => (
  <tr>
    <td>
      <Link href={contactHref(contact.id)}>{contactName(contact)}</Link>
    </td>
    <td data-label="E-mail">{contact.email ?? "–"}</td>
    <td data-label="Phone">{contact.phone ?? "–"}</td>
    <td data-label="External id">{contact.external_id ?? "–"}</td>
    <td data-label="Updated" className={css.quiet}>
      <Time at={contact.updated_at} />
    </td>
  </tr>
);

/** The address follows when the typing pauses. */
function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts the timer
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim()), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <SearchInput
      label="Search contacts"
      value={text}
      maxLength={255}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
