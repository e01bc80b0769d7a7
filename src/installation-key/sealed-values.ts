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

/** Workers read the settings of a webhook once per version. */
const ALSO_SET: Readonly<Record<string, string>> = { webhooks: ", version = version + 1" };

/**
 * Everything in the database that must open for as long as it exists. Responses that are stored for an `Idempotency-Key`
 * are not among it: they are gone after a day.
 */
export const RESEALS: readonly Reseal[] = [
  ...(["secret", "headers"] as const).map((part) =>
    resealColumn({
      table: "webhooks",
      column: `${part}_sealed`,
      id: "workspace_id, id",
      context: "uuid",
      only: NEITHER_MOVING_NOR_MOVED,
      contextOf: (uuid) => sealContext(part, uuid),
    }),
  ),
  resealPrevious({ table: "webhooks", contextOf: (uuid) => sealContext("secret", uuid) }),
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
    contextOf: sealContextOf,
  }),
  resealColumn({
    table: "push_subscriptions",
    column: "subscription_sealed",
    id: "session_id",
    context: "uuid",
    contextOf: subscriptionContext,
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
      id: "workspace_id, id",
      context: "uuid",
      only: NEITHER_MOVING_NOR_MOVED,
      contextOf: (uuid) => mailboxContext(part, uuid),
    }),
  ),
  resealColumn({
    table: "widgets",
    column: "secret_sealed",
    id: "workspace_id, id",
    context: "uuid",
    only: NEITHER_MOVING_NOR_MOVED,
    contextOf: identitySealContext,
  }),
  resealPrevious({ table: "widgets", contextOf: identitySealContext }),
];

interface SealedColumn {
  table: string;
  column: string;
  /** The columns that identify a row. */
  id: string;
  /** The column from which the context follows that a value was sealed with. */
  context: string;
  contextOf: (value: string) => string;
  /** A condition: other rows stay as they are. */
  only?: string;
}

function resealColumn({ table, column, id, context, contextOf, only = "true" }: SealedColumn): Reseal {
  const find = sql(
    `reseal_find_${table}_${column}`,
    `select json_build_array(${id}) as key, ${context}::text as context, ${column} as sealed
     from ${table}
     where split_part(${column}, '.', 1) = any($1)
       and ${only}
     order by ${id}
     limit ${BATCH}
     for update`,
  );
  const isRow = id.split(", ").map((name, index) => `${name} = $${index + 2}`);
  const update = sql(
    `reseal_${table}_${column}`,
    `update ${table} set ${column} = $1${ALSO_SET[table] ?? ""} where ${isRow.join(" and ")}`,
  );
  return async (tx, box) => {
    const rows = await tx.query<{ key: unknown[]; context: string; sealed: string }>(find, [otherKeysOf(box)]);
    for (const row of rows) await tx.query(update, [sealAgain(box, row.sealed, contextOf(row.context)), ...row.key]);
    return rows.length;
  };
}

interface PreviousSecrets {
  table: "webhooks" | "widgets";
  contextOf: (uuid: string) => string;
}

/** The secrets that a webhook or a widget had before, some of them sealed with another key. */
function resealPrevious({ table, contextOf }: PreviousSecrets): Reseal {
  const find = sql(
    `reseal_find_${table}_previous`,
    `select workspace_id, id, uuid, previous_secrets
     from ${table}
     where exists (
         select
         from jsonb_array_elements(previous_secrets) old
         where split_part(old ->> 'sealed', '.', 1) = any($1)
       )
       and ${NEITHER_MOVING_NOR_MOVED}
     order by workspace_id, id
     limit ${BATCH}
     for update`,
  );
  const update = sql(
    `reseal_${table}_previous`,
    `update ${table}
     set previous_secrets = $3${ALSO_SET[table] ?? ""}
     where workspace_id = $1
       and id = $2`,
  );
  return async (tx, box) => {
    const rows = await tx.query<Previous>(find, [otherKeysOf(box)]);
    for (const { workspace_id, id, uuid, previous_secrets } of rows) {
      const again = previous_secrets.map((old) => ({ ...old, sealed: sealAgain(box, old.sealed, contextOf(uuid)) }));
      await tx.query(update, [workspace_id, id, JSON.stringify(again)]);
    }
    return rows.length;
  };
}

interface Previous {
  workspace_id: number;
  id: number;
  uuid: string;
  previous_secrets: { sealed: string; ends_at: string }[];
}

const sealAgain = (box: SecretBox, sealed: string, context: string): string =>
  box.seal(box.open(sealed, context), context);

const otherKeysOf = (box: SecretBox): string[] => box.keyIds.filter((id) => id !== box.keyId);
