import { MessagesSquare, Plus } from "lucide-react";
import { Link } from "wouter";
import { useWidgets, type Widget, widgetHref } from "../../api/widgets.ts";
import { Badge } from "../../components/badge.tsx";
import { LinkButton } from "../../components/button.tsx";
import { RecordsPage } from "../../components/records-page.tsx";
import { Time } from "../../components/time.tsx";
import { t } from "../../lib/texts.ts";
import css from "./widgets.module.css";

const create = (
  <LinkButton href="/settings/widgets/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
    {t("Create widget")}
  </LinkButton>
);

export const ListPage = () => (
  <RecordsPage
    title={t("Widgets")}
    description={t("A chat for the pages of your own site. Visitors write there, you reply in the inbox.")}
    query={useWidgets()}
    create={create}
    empty={{
      icon: <MessagesSquare size={20} />,
      title: t("No widgets yet"),
      text: t(
        "Create one, copy one line into your page, and talk to your visitors. Nothing is stored about a visitor before they write.",
      ),
    }}
    columns={[t("Widget"), t("State"), t("Pages"), t("Created")]}
    row={(widget) => <Row key={widget.id} widget={widget} />}
  />
);

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
