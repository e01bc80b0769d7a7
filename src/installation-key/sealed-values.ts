import { totpContextOf } from "../accounts/totp.ts";
import { slackContextOf } from "../alerts/chat.ts";
import { sealContextOf } from "../alerts/queue.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { sql, type Tx } from "../db/database.ts";
import { mailboxContext } from "../email/mailboxes/secrets.ts";
import { pushKeyContext } from "../notify/push-keys.ts";
import { subscriptionContext } from "../notify/subscriptions.ts";
import { sealContext } from "../webhooks/settings.ts";
import { identitySealContext } from "../widgets/identity-secret.ts";

export const BATCH = 200;

/** Rows of a workspace that is moving to another cell cannot be changed, and those of one that has moved are not needed. */
export const NEITHER_MOVING_NOR_MOVED = "workspace_id not in (select id from workspaces where move_state is not null)";

/** Seals up to a batch of values again that other keys of the box have sealed; returns how many rows it updated. */
type Reseal = (tx: Tx, box: SecretBox) => Promise<number>;

/**
 * Everything in the database that must open for as long as it exists. Responses that are stored for an `Idempotency-Key`
 * are not among it: they are gone after a day.
 */
export const RESEALS: readonly Reseal[] = [
  resealWebhooks,
  resealColumn({
    table: "totp_secrets",
    column: "secret",
    id: "user_id",
    context: "user_id",
    contextOf: (userId) => totpContextOf(Number(userId)),
  }),
  resealColumn({
    table: "alert_settings",
    column: "slack_url_sealed",
    id: "workspace_id",
    context: "workspace_id",
    only: NEITHER_MOVING_NOR_MOVED,
    contextOf: (workspaceId) => slackContextOf(Number(workspaceId)),
  }),
  resealColumn({
    table: "notifications",
    column: "content_sealed",
    id: "id",
    context: "uuid",
    contextOf: (uuid) => sealContextOf(String(uuid)),
  }),
  resealColumn({
    table: "push_subscriptions",
    column: "subscription_sealed",
    id: "session_id",
    context: "uuid",
    contextOf: (uuid) => subscriptionContext(String(uuid)),
  }),
  resealColumn({
    table: "installation",
    column: "push_private_key_sealed",
    id: "singleton",
    context: "singleton",
    contextOf: pushKeyContext,
  }),
  ...(["inbound", "outbound", "dkim"] as const).map((part) =>
    resealColumn({
      table: "mailboxes",
      column: `${part}_sealed`,
      id: "id",
      context: "uuid",
      only: NEITHER_MOVING_NOR_MOVED,
      contextOf: (uuid) => mailboxContext(part, String(uuid)),
    }),
  ),
  resealWidgets,
];

interface SealedColumn {
  table: string;
  column: string;
  /** The column that identifies a row. */
  id: string;
  /** The column from which the context follows that a value was sealed with. */
  context: string;
  contextOf: (value: string | number) => string;
  /** A condition: other rows stay as they are. */
  only?: string;
}

function resealColumn({ table, column, id, context, contextOf, only = "true" }: SealedColumn): Reseal {
  const find = sql(
    `reseal_find_${table}_${column}`,
    `select ${id} as id, ${context} as context, ${column} as sealed
     from ${table}
     where split_part(${column}, '.', 1) = any($1)
       and ${only}
     order by ${id}
     limit ${BATCH}
     for update`,
  );
  const update = sql(`reseal_${table}_${column}`, `update ${table} set ${column} = $2 where ${id} = $1`);
  return async (tx, box) => {
    const rows = await tx.query<{ id: number; context: string | number; sealed: string }>(find, [otherKeysOf(box)]);
    for (const row of rows) {
      const rowContext = contextOf(row.context);
      await tx.query(update, [row.id, box.seal(box.open(row.sealed, rowContext), rowContext)]);
    }
    return rows.length;
  };
}

/** Of a webhook or widget: one of its previous secrets was sealed with another key. */
const HAS_OLD_PREVIOUS = `exists (
       select
       from jsonb_array_elements(previous_secrets) old
       where split_part(old ->> 'sealed', '.', 1) = any($1)
     )`;

const findWebhooks = sql(
  "reseal_find",
  `select workspace_id, id, uuid, headers_sealed, secret_sealed, previous_secrets
   from webhooks
   where (
     split_part(secret_sealed, '.', 1) = any($1)
     or split_part(headers_sealed, '.', 1) = any($1)
     or ${HAS_OLD_PREVIOUS}
   )
     and ${NEITHER_MOVING_NOR_MOVED}
   order by workspace_id, id
   limit ${BATCH}
   for update`,
);
const updateWebhook = sql(
  "reseal",
  `update webhooks
   set headers_sealed = $3, secret_sealed = $4, previous_secrets = $5, version = version + 1
   where workspace_id = $1
     and id = $2`,
);

interface SealedWebhook {
  workspace_id: number;
  id: number;
  uuid: string;
  headers_sealed: string;
  secret_sealed: string;
  previous_secrets: { sealed: string; ends_at: string }[];
}

async function resealWebhooks(tx: Tx, box: SecretBox): Promise<number> {
  const rows = await tx.query<SealedWebhook>(findWebhooks, [otherKeysOf(box)]);
  for (const row of rows) {
    const again = (sealed: string, part: "secret" | "headers") =>
      box.seal(box.open(sealed, sealContext(part, row.uuid)), sealContext(part, row.uuid));
    await tx.query(updateWebhook, [
      row.workspace_id,
      row.id,
      again(row.headers_sealed, "headers"),
      again(row.secret_sealed, "secret"),
      JSON.stringify(row.previous_secrets.map((old) => ({ ...old, sealed: again(old.sealed, "secret") }))),
    ]);
  }
  return rows.length;
}

const findWidgets = sql(
  "reseal_find_widgets",
  `select workspace_id, id, uuid, secret_sealed, previous_secrets
   from widgets
   where (
     split_part(secret_sealed, '.', 1) = any($1)
     or ${HAS_OLD_PREVIOUS}
   )
     and ${NEITHER_MOVING_NOR_MOVED}
   order by workspace_id, id
   limit ${BATCH}
   for update`,
);
const updateWidget = sql(
  "reseal_widget",
  `update widgets
   set secret_sealed = $3, previous_secrets = $4
   where workspace_id = $1
     and id = $2`,
);

async function resealWidgets(tx: Tx, box: SecretBox): Promise<number> {
  const rows = await tx.query<Omit<SealedWebhook, "headers_sealed">>(findWidgets, [otherKeysOf(box)]);
  for (const { workspace_id, id, uuid, secret_sealed, previous_secrets } of rows) {
    const context = identitySealContext(uuid);
    const again = (sealed: string) => box.seal(box.open(sealed, context), context);
    const previous = previous_secrets.map((old) => ({ ...old, sealed: again(old.sealed) }));
    await tx.query(updateWidget, [workspace_id, id, again(secret_sealed), JSON.stringify(previous)]);
  }
  return rows.length;
}

const otherKeysOf = (box: SecretBox): string[] => box.keyIds.filter((id) => id !== box.keyId);
