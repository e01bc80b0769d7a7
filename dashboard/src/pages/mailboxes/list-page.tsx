import { Mail, Plus } from "lucide-react";
import { Link } from "wouter";
import { type Mailbox, mailboxHref, useMailboxes } from "../../api/mailboxes.ts";
import { LinkButton } from "../../components/button.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Said } from "../../components/said.tsx";
import { ShowMore } from "../../components/show-more.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { t } from "../../lib/texts.ts";
import css from "./mailboxes.module.css";
import { StateBadge, wayInOf } from "./state.tsx";

const connect = (
  <LinkButton href="/settings/mailboxes/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
    {t("Connect mailbox")}
  </LinkButton>
);

export function ListPage() {
  const mailboxes = useMailboxes();
  const none = mailboxes.data?.length === 0;
  return (
    <Page
      title={t("Mailboxes")}
      description={t("Mail to these addresses becomes conversations, and replies go out as mail.")}
      actions={none ? undefined : connect}
    >
      <Card>
        {mailboxes.error && !mailboxes.data ? (
          <ErrorState error={mailboxes.error} onRetry={() => mailboxes.refetch()} />
        ) : !mailboxes.data ? (
          <SkeletonRows />
        ) : none ? (
          <EmptyState icon={<Mail size={20} />} title={t("No mailboxes yet")} actions={connect}>
            {t(
              "Connect an e-mail address with its password. What customers write to it appears in the inbox, and your replies are sent from it.",
            )}
          </EmptyState>
        ) : (
          <Table label={t("Mailboxes")} columns={[t("Mailbox"), t("State"), t("Comes in by"), t("Last mail")]} linked>
            {mailboxes.data.map((mailbox) => (
              <Row key={mailbox.id} mailbox={mailbox} />
            ))}
          </Table>
        )}
        <ShowMore query={mailboxes} className={css.more} />
      </Card>
    </Page>
  );
}

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
