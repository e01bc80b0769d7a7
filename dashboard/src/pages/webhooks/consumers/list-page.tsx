import { ListEnd, Plus } from "lucide-react";
import { Link } from "wouter";
import { type Consumer, consumerHref, useConsumers } from "../../../api/consumers.ts";
import { LinkButton } from "../../../components/button.tsx";
import { RecordsPage } from "../../../components/records-page.tsx";
import { Time } from "../../../components/time.tsx";
import { t } from "../../../lib/texts.ts";
import { ConsumerState, lagText } from "./consumer-state.tsx";

const create = (
  <LinkButton href="/settings/consumers?new" variant="primary" icon={<Plus size={16} aria-hidden />}>
    {t("Create consumer")}
  </LinkButton>
);

export const ListPage = () => (
  <RecordsPage
    title={t("Consumers")}
    description={t("Readers of events without a public address. Parley keeps the position of each.")}
    query={useConsumers()}
    create={create}
    empty={{
      icon: <ListEnd size={20} />,
      title: t("No consumers yet"),
      text: t(
        "A program behind a firewall asks for the next events and acknowledges them. What it has not acknowledged comes again, so nothing is lost while it is down.",
      ),
    }}
    columns={[t("Consumer"), t("State"), t("Waiting"), t("Last read")]}
    row={(consumer) => <Row key={consumer.name} consumer={consumer} />}
  />
);

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
