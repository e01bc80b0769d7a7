import { ListEnd, Plus } from "lucide-react";
import { Link } from "wouter";
import { type Consumer, consumerHref, useConsumers } from "../../../api/consumers.ts";
import { LinkButton } from "../../../components/button.tsx";
import { Card, Page } from "../../../components/page.tsx";
import { ShowMore } from "../../../components/show-more.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../../components/states.tsx";
import { Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { t } from "../../../lib/texts.ts";
import { ConsumerState, lagText } from "./consumer-state.tsx";
import css from "./consumers.module.css";

const create = (
  <LinkButton href="/settings/consumers?new" variant="primary" icon={<Plus size={16} aria-hidden />}>
    {t("Create consumer")}
  </LinkButton>
);

export function ListPage() {
  const consumers = useConsumers();
  const none = consumers.data?.length === 0;
  return (
    <Page
      title={t("Consumers")}
      description={t("Readers of events without a public address. Parley keeps the position of each.")}
      actions={none ? undefined : create}
    >
      <Card>
        {consumers.error && !consumers.data ? (
          <ErrorState error={consumers.error} onRetry={() => consumers.refetch()} />
        ) : !consumers.data ? (
          <SkeletonRows />
        ) : none ? (
          <EmptyState icon={<ListEnd size={20} />} title={t("No consumers yet")} actions={create}>
            {t(
              "A program behind a firewall asks for the next events and acknowledges them. What it has not acknowledged comes again, so nothing is lost while it is down.",
            )}
          </EmptyState>
        ) : (
          <Table label={t("Consumers")} columns={[t("Consumer"), t("State"), t("Waiting"), t("Last read")]} linked>
            {consumers.data.map((consumer) => (
              <Row key={consumer.name} consumer={consumer} />
            ))}
          </Table>
        )}
        <ShowMore query={consumers} className={css.more} />
      </Card>
    </Page>
  );
}

const Row = ({ consumer }: { consumer: Consumer }) => (
  <tr>
    <td>
      <Link href={consumerHref(consumer.name)}>{consumer.name}</Link>
    </td>
    <td data-label={t("State")}>
      <ConsumerState consumer={consumer} />
    </td>
    <td data-label={t("Waiting")}>{lagText(consumer)}</td>
    <td data-label={t("Last read")}>{consumer.last_read_at ? <Time at={consumer.last_read_at} /> : t("Never")}</td>
  </tr>
);
