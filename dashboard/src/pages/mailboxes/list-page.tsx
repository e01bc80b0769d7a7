import { Mail, Plus } from "lucide-react";
import { Link } from "wouter";
import { type Mailbox, mailboxHref, useMailboxes } from "../../api/mailboxes.ts";
import { LinkButton } from "../../components/button.tsx";
import { RecordsPage } from "../../components/records-page.tsx";
import { Said } from "../../components/said.tsx";
import { Time } from "../../components/time.tsx";
import { t } from "../../lib/texts.ts";
import css from "./mailboxes.module.css";
import { StateBadge, wayInOf } from "./state.tsx";

const connect = (
  <LinkButton href="/settings/mailboxes/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
    {t("Connect mailbox")}
  </LinkButton>
);

export const ListPage = () => (
  <RecordsPage
    title={t("Mailboxes")}
    description={t("Mail to these addresses becomes conversations, and replies go out as mail.")}
    query={useMailboxes()}
    create={connect}
    empty={{
      icon: <Mail size={20} />,
      title: t("No mailboxes yet"),
      text: t(
        "Connect an e-mail address with its password. What customers write to it appears in the inbox, and your replies are sent from it.",
      ),
    }}
    columns={[t("Mailbox"), t("State"), t("Comes in by"), t("Last mail")]}
    row={(mailbox) => <Row key={mailbox.id} mailbox={mailbox} />}
  />
);

function Row({ mailbox }: { mailbox: Mailbox }) {
  const { id, name, address, status } = mailbox;
  return (
    <tr>
      <td>
        <Link href={mailboxHref(id)}>{name}</Link>
        {name !== address && <div className={css.address}>{address}</div>}
        {status.error && (
          <div className={css.error}>
            <Said text={status.error} />
          </div>
        )}
      </td>
      <td data-corner>
        <StateBadge mailbox={mailbox} />
      </td>
      <td data-label={t("Comes in by")}>{wayInOf(mailbox)}</td>
      <td data-label={t("Last mail")}>
        {status.last_message_at ? <Time at={status.last_message_at} /> : t("None yet")}
      </td>
    </tr>
  );
}
