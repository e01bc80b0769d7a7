import { ContactRound, SearchX } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { type Contact, contactHref, contactName, useContacts } from "../../api/contacts.ts";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page, Toolbar } from "../../components/page.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { ShowMore } from "../../components/show-more.tsx";
import { EmptyState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { t } from "../../lib/texts.ts";
import { useSearchState } from "../../lib/use-search-state.ts";
import { ContactDialog } from "./contact-dialog.tsx";
import css from "./contacts.module.css";

const SPANS = [
  { value: "", title: t("Updated at any time"), days: 0 },
  { value: "1d", title: t("Updated in the last 24 hours"), days: 1 },
  { value: "7d", title: t("Updated in the last 7 days"), days: 7 },
  { value: "30d", title: t("Updated in the last 30 days"), days: 30 },
];

export function ContactsPage() {
  const [{ search, updated }, change] = useSearchState(["search", "updated"]);
  const [isCreating, setCreating] = useState(false);
  const [openedAt] = useState(() => Date.now());
  const days = SPANS.find(({ value }) => value === updated)?.days ?? 0;
  const since = days === 0 ? undefined : new Date(openedAt - days * 86_400_000).toISOString();
  const contacts = useContacts({ search, updated_since: since });
  return (
    <Page
      title={t("Contacts")}
      description={t("Everybody who has written to you, or whom you or your apps have created.")}
      actions={
        <Button variant="primary" onClick={() => setCreating(true)}>
          {t("New contact")}
        </Button>
      }
    >
      {isCreating && <ContactDialog onClose={() => setCreating(false)} />}
      <Card>
        <Toolbar>
          <SearchField label={t("Search contacts")} value={search} onChange={(next) => change({ search: next })} />
          <Select
            aria-label={t("Updated")}
            value={updated}
            onChange={(event) => change({ updated: event.target.value })}
          >
            {SPANS.map(({ value, title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </Select>
        </Toolbar>
        <Loaded query={contacts} skeleton={<SkeletonRows rows={8} />}>
          {(list) =>
            list.length > 0 ? (
              <Table
                label={t("Contacts")}
                columns={[t("Name"), t("E-mail"), t("Phone"), t("External id"), t("Updated")]}
                linked
              >
                {list.map((contact) => (
                  <ContactRow key={contact.id} contact={contact} />
                ))}
              </Table>
            ) : search === "" && since === undefined ? (
              <EmptyState icon={<ContactRound size={20} />} title={t("No contacts yet")}>
                {t("A contact is created with the first message of a customer, or by your apps with POST /contacts.")}
              </EmptyState>
            ) : (
              <EmptyState
                icon={<SearchX size={20} />}
                title={t("No contact matches")}
                actions={<Button onClick={() => change({ search: "", updated: "" })}>{t("Clear the filters")}</Button>}
              >
                {search === ""
                  ? t("No contact was updated in this time.")
                  : since
                    ? t(
                        "No name, e-mail address, phone number or external id contains “{search}” among those updated in this time.",
                        { search },
                      )
                    : t("No name, e-mail address, phone number or external id contains “{search}”.", { search })}
              </EmptyState>
            )
          }
        </Loaded>
        <ShowMore query={contacts} className={css.more} />
      </Card>
    </Page>
  );
}

const ContactRow = ({ contact }: { contact: Contact }) => (
  <tr>
    <td>
      <Link href={contactHref(contact.id)}>{contactName(contact)}</Link>
    </td>
    <td data-label={t("E-mail")}>{contact.email ?? "–"}</td>
    <td data-label={t("Phone")}>{contact.phone ?? "–"}</td>
    <td data-label={t("External id")}>{contact.external_id ?? "–"}</td>
    <td data-label={t("Updated")} className={css.quiet}>
      <Time at={contact.updated_at} />
    </td>
  </tr>
);
