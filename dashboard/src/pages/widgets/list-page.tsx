import { MessagesSquare, Plus } from "lucide-react";
import { Link } from "wouter";
import { useWidgets, type Widget, widgetHref } from "../../api/widgets.ts";
import { Badge } from "../../components/badge.tsx";
import { LinkButton } from "../../components/button.tsx";
import { Card, Page } from "../../components/page.tsx";
import { ShowMore } from "../../components/show-more.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { t } from "../../lib/texts.ts";
import css from "./widgets.module.css";

const create = (
  <LinkButton href="/settings/widgets/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
    {t("Create widget")}
  </LinkButton>
);

export function ListPage() {
  const widgets = useWidgets();
  const none = widgets.data?.length === 0;
  return (
    <Page
      title={t("Widgets")}
      description={t("A chat for the pages of your own site. Visitors write there, you reply in the inbox.")}
      actions={none ? undefined : create}
    >
      <Card>
        {widgets.error && !widgets.data ? (
          <ErrorState error={widgets.error} onRetry={() => widgets.refetch()} />
        ) : !widgets.data ? (
          <SkeletonRows />
        ) : none ? (
          <EmptyState icon={<MessagesSquare size={20} />} title={t("No widgets yet")} actions={create}>
            {t(
              "Create one, copy one line into your page, and talk to your visitors. Nothing is stored about a visitor before they write.",
            )}
          </EmptyState>
        ) : (
          <Table label={t("Widgets")} columns={[t("Widget"), t("State"), t("Pages"), t("Created")]} linked>
            {widgets.data.map((widget) => (
              <Row key={widget.id} widget={widget} />
            ))}
          </Table>
        )}
        <ShowMore query={widgets} className={css.more} />
      </Card>
    </Page>
  );
}

function Row({ widget: { id, name, is_active, allowed_origins, created_at } }: { widget: Widget }) {
  const [first, ...others] = allowed_origins;
  return (
    <tr>
      <td>
        <Link href={widgetHref(id)}>{name}</Link>
      </td>
      <td data-label={t("State")}>
        {is_active ? <Badge tone="success">{t("Active")}</Badge> : <Badge>{t("Inactive")}</Badge>}
      </td>
      <td data-label={t("Pages")}>
        <span className={css.origin}>
          {others.length > 0 ? t("{shown} and {n} more", { shown: first ?? "", n: others.length }) : first}
        </span>
      </td>
      <td data-label={t("Created")}>
        <Time at={created_at} />
      </td>
    </tr>
  );
}
