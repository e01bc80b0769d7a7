import { KeyRound, Plus } from "lucide-react";
import { type ApiKey, type KeyState, stateOf, useApiKeys } from "../../api/api-keys.ts";
import { KEY_TYPES, type KeyType } from "../../api/catalogue.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { SearchInput, Select } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page, Toolbar } from "../../components/page.tsx";
import { ShowMore } from "../../components/show-more.tsx";
import { EmptyState, SkeletonRows } from "../../components/states.tsx";
import { plural, t } from "../../lib/texts.ts";
import { useSearchState } from "../../lib/use-search-state.ts";
import css from "./api-keys.module.css";
import { KeysTable } from "./keys-table.tsx";

const STATES: Record<KeyState | "all", string> = {
  active: t("Active"),
  paused: t("Paused"),
  expired: t("Expired"),
  revoked: t("Revoked"),
  all: t("All, including revoked"),
};

const NAMES = ["search", "type", "state"] as const;
type Filters = Record<(typeof NAMES)[number], string>;

export function KeysPage() {
  const keys = useApiKeys();
  const [filters, change] = useSearchState(NAMES);
  return (
    <Page
      title={t("API Keys")}
      description={t(
        "Keys authenticate your apps and scripts. Give each one its own key, with no more abilities than it needs.",
      )}
      actions={
        <LinkButton href="/settings/api-keys/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
          {t("Create key")}
        </LinkButton>
      }
    >
      {keys.data?.length === 0 ? (
        <Card>
          <NoKeys />
        </Card>
      ) : (
        <Card>
          <FilterBar filters={filters} onChange={change} />
          <Loaded query={keys} skeleton={<SkeletonRows />}>
            {(list) => <FilteredKeys keys={list} filters={filters} onChange={change} />}
          </Loaded>
          <ShowMore query={keys} className={css.listFoot} size="small" label={t("Load more")}>
            <span>{t("Only the newest {n} keys are loaded and searched.", { n: keys.data?.length ?? 0 })}</span>
          </ShowMore>
        </Card>
      )}
    </Page>
  );
}

const NoKeys = () => (
  <EmptyState
    icon={<KeyRound size={20} />}
    title={t("No keys yet")}
    actions={
      <LinkButton href="/settings/api-keys/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
        {t("Create your first key")}
      </LinkButton>
    }
  >
    {t(
      "An app sends its key with every request. The secret is shown once, when the key is created, and you can limit, pause or revoke the key at any time.",
    )}
  </EmptyState>
);

interface FilterProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
}

const FilterBar = ({ filters, onChange }: FilterProps) => (
  <Toolbar>
    <SearchInput
      label={t("Search by name")}
      value={filters.search}
      onChange={(event) => onChange({ search: event.target.value })}
    />
    <Select aria-label={t("Type")} value={filters.type} onChange={(event) => onChange({ type: event.target.value })}>
      <option value="">{t("All types")}</option>
      {Object.entries(KEY_TYPES).map(([type, { title }]) => (
        <option key={type} value={type}>
          {title}
        </option>
      ))}
    </Select>
    <Select aria-label={t("State")} value={filters.state} onChange={(event) => onChange({ state: event.target.value })}>
      <option value="">{t("Not revoked")}</option>
      {Object.entries(STATES).map(([state, title]) => (
        <option key={state} value={state}>
          {title}
        </option>
      ))}
    </Select>
  </Toolbar>
);

function FilteredKeys({ keys, filters, onChange }: FilterProps & { keys: readonly ApiKey[] }) {
  const shown = keys.filter((key) => matches(key, filters));
  const hidden = filters.state === "" ? keys.filter((key) => stateOf(key) === "revoked").length : 0;
  const clear = () => onChange({ search: "", type: "", state: "" });
  if (shown.length === 0)
    return (
      <EmptyState
        icon={<KeyRound size={20} />}
        title={t("No key matches")}
        actions={<Button onClick={clear}>{t("Clear filters")}</Button>}
      >
        {hidden > 0
          ? plural(hidden, "{n} revoked key is not shown.", "{n} revoked keys are not shown.")
          : t("Try another name, type or state.")}
      </EmptyState>
    );
  return (
    <>
      <KeysTable keys={shown} />
      <div className={css.listFoot}>
        <span role="status">{plural(shown.length, "{n} key", "{n} keys")}</span>
        {hidden > 0 && (
          <Button variant="ghost" size="small" onClick={() => onChange({ state: "all" })}>
            {t("Show {hidden} revoked", { hidden })}
          </Button>
        )}
      </div>
    </>
  );
}

function matches(key: ApiKey, { search, type, state }: Filters): boolean {
  if (!key.name.toLowerCase().includes(search.trim().toLowerCase())) return false;
  if (type !== "" && key.type !== (type as KeyType)) return false;
  if (state === "all") return true;
  return state === "" ? stateOf(key) !== "revoked" : stateOf(key) === state;
}
