import { Plus, SearchX } from "lucide-react";
import { useHealthList, useWebhooks } from "../../api/webhooks.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page } from "../../components/page.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { ShowMore } from "../../components/show-more.tsx";
import { EmptyState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { t } from "../../lib/texts.ts";
import { useSearchState } from "../../lib/use-search-state.ts";
import css from "./list.module.css";
import { ListEmpty } from "./list-empty.tsx";
import { ListRow } from "./list-row.tsx";

const create = (
  <LinkButton href="/settings/webhooks/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
    {t("Create webhook")}
  </LinkButton>
);

export function ListPage() {
  const [{ search }, change] = useSearchState(["search"]);
  const webhooks = useWebhooks(search);
  const health = useHealthList();
  const none = search === "" && webhooks.data?.length === 0;
  return (
    <Page
      title={t("Webhooks")}
      description={t(
        "Parley notifies your servers when something happens: each event is sent as a signed POST to the URLs you choose.",
      )}
      actions={none ? undefined : create}
    >
      {none ? (
        <ListEmpty action={create} />
      ) : (
        <Card>
          <div className={css.tools}>
            <SearchField
              label={t("Search by name or URL")}
              value={search}
              onChange={(next) => change({ search: next })}
            />
          </div>
          <Loaded query={webhooks} skeleton={<SkeletonRows />}>
            {(loaded) =>
              loaded.length === 0 ? (
                <EmptyState
                  icon={<SearchX size={20} />}
                  title={t("No webhook matches")}
                  actions={<Button onClick={() => change({ search: "" })}>{t("Clear the search")}</Button>}
                >
                  {t("Neither a name nor a URL contains “{search}”.", { search })}
                </EmptyState>
              ) : (
                <Table
                  label={t("Webhooks")}
                  columns={[t("Webhook"), t("State"), t("Last 24 hours"), t("Last failure")]}
                  linked
                >
                  {loaded.map((webhook) => (
                    <ListRow
                      key={webhook.id}
                      webhook={webhook}
                      health={health.data?.find((one) => one.webhook_id === webhook.id)}
                      healthError={health.error}
                    />
                  ))}
                </Table>
              )
            }
          </Loaded>
          <ShowMore query={webhooks} className={css.more} />
        </Card>
      )}
    </Page>
  );
}
