import { useState } from "react";
import { Link } from "wouter";
import type { ApiKey } from "../../api/api-keys.ts";
import { KEY_TYPES, scopesOfKey, scopesOfType, useCatalogue } from "../../api/catalogue.ts";
import { Badge, Chip } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { t } from "../../lib/texts.ts";
import css from "./api-keys.module.css";
import { KeyStateBadge } from "./key-state.tsx";
import { SecretEnds } from "./secret-ends.tsx";

const ROWS_STEP = 100;
const COLUMNS = [t("Name"), t("Secret"), t("Type"), t("Abilities"), t("Last used"), t("Expires"), t("State")];

export function KeysTable({ keys }: { keys: readonly ApiKey[] }) {
  const [limit, setLimit] = useState(ROWS_STEP);
  return (
    <>
      <Table label={t("API keys")} columns={COLUMNS} linked>
        {keys.slice(0, limit).map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </Table>
      {keys.length > limit && (
        <div className={css.listFoot}>
          <Button onClick={() => setLimit(limit + ROWS_STEP)}>
            {t("Show {rowsStep} more", { rowsStep: Math.min(ROWS_STEP, keys.length - limit) })}
          </Button>
        </div>
      )}
    </>
  );
}

const KeyRow = ({ apiKey }: { apiKey: ApiKey }) => (
  <tr>
    <td>
      <Link href={`/settings/api-keys/${apiKey.id}`}>{apiKey.name}</Link>
      {apiKey.description && <span className={css.note}>{apiKey.description}</span>}
    </td>
    <td data-label={t("Secret")} className={css.quiet}>
      <SecretEnds apiKey={apiKey} />
    </td>
    <td data-label={t("Type")}>
      <Badge>{KEY_TYPES[apiKey.type].title}</Badge>
    </td>
    <td data-label={t("Abilities")}>
      <Abilities apiKey={apiKey} />
    </td>
    <td data-label={t("Last used")} className={css.quiet}>
      {apiKey.last_used_at ? <Time at={apiKey.last_used_at} /> : t("Never")}
    </td>
    <td data-label={t("Expires")} className={css.quiet}>
      {apiKey.expires_at ? <Time at={apiKey.expires_at} form="day" /> : t("Never")}
    </td>
    <td data-corner>
      <KeyStateBadge apiKey={apiKey} />
    </td>
  </tr>
);

const SHOWN_MAX = 2;

function Abilities({ apiKey }: { apiKey: ApiKey }) {
  const { data: catalogue } = useCatalogue();
  if (!catalogue) return null;
  const scopes = scopesOfKey(catalogue, apiKey);
  if (scopes.length === scopesOfType(catalogue, apiKey.type).length)
    return (
      <span className={css.quiet}>
        {apiKey.type === "full" || apiKey.type === "limited" ? t("Everything") : t("All of its type")}
      </span>
    );
  const more = scopes.slice(SHOWN_MAX);
  return (
    <span className={css.chips}>
      {scopes.slice(0, SHOWN_MAX).map((scope) => (
        <Chip key={scope}>{scope}</Chip>
      ))}
      {more.length > 0 && (
        <span className={css.quiet} title={more.join(", ")}>
          +{more.length}
        </span>
      )}
    </span>
  );
}
