import { totpContextOf } from "../accounts/totp.ts";
import { slackContextOf } from "../alerts/chat.ts";
import { sealContextOf } from "../alerts/queue.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Statement, sql, type Tx } from "../db/database.ts";
import { sealContext } from "../webhooks/settings.ts";

export const BATCH = 200;

/** The database refuses to change rows of a workspace that moves to another cell, and those of one that has moved are left over. */
export const NOT_MOVED = "workspace_id not in (select id from workspaces where move_state is not null)";

/** Seals up to a batch of values again that other keys of the box have sealed; returns how many rows it updated. */
type Reseal = (tx: Tx, box: SecretBox) => Promise<number>;

/**
 * Everything in the database that must open for as long as it exists. Responses that are stored for an `Idempotency-Key`
 * are not among it: they are gone after a day.
 */
export const RESEALS: readonly Reseal[] = [
  resealWebhooks,
  resealColumn({
    find: sql(
      "reseal_find_totp",
      `select user_id as id, user_id as context, secret as sealed
       from totp_secrets
       where split_part(secret, '.', 1) = any($1)
       order by user_id
       limit ${BATCH}
       for update`,
    ),
    update: sql("reseal_totp", "update totp_secrets set secret = $2 where user_id = $1"),
    contextOf: (userId) => totpContextOf(Number(userId)),
  }),
  resealColumn({
    find: sql(
      "reseal_find_chat",
      `select workspace_id as id, workspace_id as context, slack_url_sealed as sealed
       from alert_settings
       where split_part(slack_url_sealed, '.', 1) = any($1)
         and ${NOT_MOVED}
       order by workspace_id
       limit ${BATCH}
       for update`,
    ),
    update: sql("reseal_chat", "update alert_settings set slack_url_sealed = $2 where workspace_id = $1"),
    contextOf: (workspaceId) => slackContextOf(Number(workspaceId)),
  }),
  resealColumn({
    find: sql(
      "reseal_find_notifications",
      `select id, uuid as context, content_sealed as sealed
       from notifications
       where split_part(content_sealed, '.', 1) = any($1)
       order by id
       limit ${BATCH}
       for update`,
    ),
    update: sql("reseal_notification", "update notifications set content_sealed = $2 where id = $1"),
    contextOf: (uuid) => sealContextOf(String(uuid)),
  }),
];

interface SealedColumn {
  find: Statement;
  update: Statement;
  contextOf: (value: string | number) => string;
}

function resealColumn({ find, update, contextOf }: SealedColumn): Reseal {
  return async (tx, box) => {
    const rows = await tx.query<{ id: number; context: string | number; sealed: string }>(find, [otherKeysOf(box)]);
    for (const { id, context, sealed } of rows)
      await tx.query(update, [id, box.seal(box.open(sealed, contextOf(context)), contextOf(context))]);
    return rows.length;
  };
}

const findWebhooks = sql(
  "reseal_find",
  `select workspace_id, id, uuid, headers_sealed, secret_sealed, previous_secrets
   from webhooks
   where (
     split_part(secret_sealed, '.', 1) = any($1)
     or split_part(headers_sealed, '.', 1) = any($1)
     or exists (
       select
       from jsonb_array_elements(previous_secrets) old
       where split_part(old ->> 'sealed', '.', 1) = any($1)
     )
   )
     and ${NOT_MOVED}
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

const otherKeysOf = (box: SecretBox): string[] => box.keyIds.filter((id) => id !== box.keyId);
