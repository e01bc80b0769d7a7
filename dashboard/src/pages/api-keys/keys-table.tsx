import { useState } from "react";
import { Link } from "wouter";
import type { ApiKey } from "../../api/api-keys.ts";
import { KEY_TYPES, scopesOfKey, scopesOfType, useCatalogue } from "../../api/catalogue.ts";
import { Badge, Chip } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import css from "./api-keys.module.css";
import { KeyStateBadge } from "./key-state.tsx";
import { SecretEnds } from "./secret-ends.tsx";

const ROWS_STEP = 100;
const COLUMNS = ["Name", "Secret", "Type", "Abilities", "Last used", "Expires", "State"];

export function KeysTable({ keys }: { keys: readonly ApiKey[] }) {
  const [limit, setLimit] = useState(ROWS_STEP);
  return (
    <>
      <Table label="API keys" columns={COLUMNS} linked>
        {keys.slice(0, limit).map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </Table>
      {keys.length > limit && (
        <div className={css.listFoot}>
          <Button onClick={() => setLimit(limit + ROWS_STEP)}>
            Show {Math.min(ROWS_STEP, keys.length - limit)} more
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
    <td data-label="Secret" className={css.quiet}>
      <SecretEnds apiKey={apiKey} />
    </td>
    <td data-label="Type">
      <Badge>{KEY_TYPES[apiKey.type].title}</Badge>
    </td>
    <td data-label="Abilities">
      <Abilities apiKey={apiKey} />
    </td>
    <td data-label="Last used" className={css.quiet}>
      {apiKey.last_used_at ? <Time at={apiKey.last_used_at} /> : "Never"}
    </td>
    <td data-label="Expires" className={css.quiet}>
      {apiKey.expires_at ? <Time at={apiKey.expires_at} form="day" /> : "Never"}
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
        {apiKey.type === "full" || apiKey.type === "limited" ? "Everything" : "All of its type"}
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
