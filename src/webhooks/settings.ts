import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql } from "../db/database.ts";
import { lookup } from "../db/lookup.ts";
import type { Header } from "./headers.ts";
import { signingKey } from "./signing.ts";
import type { Template } from "./template.ts";

/** What a delivery needs to know of its webhook, with its secrets opened. */
export interface WebhookSettings {
  workspaceId: number;
  id: number;
  version: number;
  url: string;
  /** What the webhooks of a workspace at one scheme, host and port have in common. */
  destination: string;
  headers: Header[];
  retryCount: number;
  timeoutMs: number;
  /** Null: the event itself is sent. */
  template: Template | null;
  /** The valid signing keys, newest first. */
  signingKeys(): Buffer[];
}

interface SettingsRow {
  workspace_id: number;
  id: number;
  uuid: string;
  version: number;
  url: string;
  headers_sealed: string;
  retry_count: number;
  timeout_seconds: number;
  template: Template | null;
  secret_sealed: string;
  previous: { sealed: string; ends_in_ms: number }[];
}

const loadSettings = sql(
  "webhook_settings",
  `select workspace_id, id, uuid, version, url, headers_sealed, retry_count, timeout_seconds, template, secret_sealed,
          (select coalesce(json_agg(json_build_object('sealed', old ->> 'sealed',
             'ends_in_ms', extract(epoch from (old ->> 'ends_at')::timestamptz - now()) * 1000)), '[]')
           from jsonb_array_elements(previous_secrets) old) as previous
   from webhooks w join unnest($1::bigint[], $2::bigint[]) as asked (asked_workspace_id, asked_id)
     on ${lookup("w.workspace_id", "asked_workspace_id")} and ${lookup("w.id", "asked_id")}`,
);

export const sealContext = (part: "secret" | "headers", uuid: string): string => `webhook:${part}:${uuid}`;

/** A webhook whose secret or headers cannot be opened is left out: it must not keep the others of a batch from theirs. */
export async function readSettings(
  db: Queryable,
  box: SecretBox,
  webhooks: readonly { workspaceId: number; webhookId: number }[],
): Promise<WebhookSettings[]> {
  const rows = await db.query<SettingsRow>(loadSettings, [
    webhooks.map((webhook) => webhook.workspaceId),
    webhooks.map((webhook) => webhook.webhookId),
  ]);
  return rows.flatMap((row) => {
    try {
      return [toSettings(row, box)];
    } catch {
      return [];
    }
  });
}

function toSettings(row: SettingsRow, box: SecretBox): WebhookSettings {
  const open = (sealed: string) => signingKey(box.open(sealed, sealContext("secret", row.uuid)));
  const current = open(row.secret_sealed);
  const now = performance.now();
  const previous = row.previous.map(({ sealed, ends_in_ms }) => ({ key: open(sealed), endsAt: now + ends_in_ms }));
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    version: row.version,
    url: row.url,
    destination: `${row.workspace_id} ${new URL(row.url).origin}`,
    headers: JSON.parse(box.open(row.headers_sealed, sealContext("headers", row.uuid))) as Header[],
    retryCount: row.retry_count,
    timeoutMs: row.timeout_seconds * 1_000,
    template: row.template,
    signingKeys: () => [current, ...previous.filter(({ endsAt }) => performance.now() < endsAt).map(({ key }) => key)],
  };
}
