import { operatorOf } from "../accounts/manager.ts";
import { replaceTotpSecret } from "../accounts/totp.ts";
import { recordAudit } from "../audit/audit.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import { sealContext } from "../webhooks/settings.ts";
import { newSigningSecret } from "../webhooks/signing.ts";
import { identitySealContext, newIdentitySecret } from "../widgets/identity-secret.ts";
import { readKeyId, writeKeyId } from "./open-secret-box.ts";
import { NEITHER_MOVING_NOR_MOVED } from "./sealed-values.ts";

/** What could no longer be opened and was replaced or removed. */
export interface Replaced {
  /** They have new secrets and no headers of their own. */
  webhooks: { workspace_id: number; id: number; name: string; url: string }[];
  /** They have new identity secrets. */
  widgets: { workspace_id: number; id: number; name: string }[];
  /** E-mail addresses of people whose authenticator app no longer matches. */
  people: string[];
  /** Workspaces that no longer have a chat. */
  chats: number;
  /** They are paused: their passwords, tokens and keys have to be entered again. */
  mailboxes: { workspace_id: number; id: number; address: string }[];
  /** E-mails, chat messages and pushes that were waiting to be sent. */
  notifications: number;
  /** Browsers that get no pushes until their person opens the dashboard in them: the key of pushes is a new one. */
  browsers: number;
}

const lock = sql("lost_key_lock", "select from installation for update");
// What it has is fenced, and the other cell would need the lost key for it.
const findMoving = sql("lost_key_moving", "select id from workspaces where move_state = 'moving' limit 1");
const findWebhooks = sql(
  "lost_key_webhooks",
  `select workspace_id, id, uuid, name, url
   from webhooks
   where (
     split_part(secret_sealed, '.', 1) <> all($1)
     or split_part(headers_sealed, '.', 1) <> all($1)
   )
     and ${NEITHER_MOVING_NOR_MOVED}
   order by workspace_id, id
   for update`,
);
const updateWebhook = sql(
  "lost_key_webhook",
  `update webhooks
   set secret_sealed = $3, headers_sealed = $4, previous_secrets = '[]', version = version + 1, updated_at = now()
   where workspace_id = $1
     and id = $2`,
);
const findWidgets = sql(
  "lost_key_widgets",
  `select workspace_id, id, uuid, name
   from widgets
   where split_part(secret_sealed, '.', 1) <> all($1)
     and ${NEITHER_MOVING_NOR_MOVED}
   order by workspace_id, id
   for update`,
);
const updateWidget = sql(
  "lost_key_widget",
  `update widgets
   set secret_sealed = $3, previous_secrets = '[]', updated_at = now()
   where workspace_id = $1
     and id = $2`,
);
const findPeople = sql(
  "lost_key_people",
  `select person.id, person.email
   from totp_secrets factor
   join users person on person.id = factor.user_id
   where split_part(factor.secret, '.', 1) <> all($1)
   order by person.id
   for update of factor`,
);
const dropChats = sql(
  "lost_key_chats",
  `update alert_settings
   set slack_url_sealed = null, updated_at = now()
   where split_part(slack_url_sealed, '.', 1) <> all($1)
     and ${NEITHER_MOVING_NOR_MOVED}
   returning 1`,
);
const dropMailboxSecrets = sql(
  "lost_key_mailboxes",
  `update mailboxes
   set inbound_sealed = null, outbound_sealed = null, dkim = null, dkim_sealed = null, paused = true,
     version = version + 1, updated_at = now()
   where (
     split_part(inbound_sealed, '.', 1) <> all($1)
     or split_part(outbound_sealed, '.', 1) <> all($1)
     or split_part(dkim_sealed, '.', 1) <> all($1)
   )
     and ${NEITHER_MOVING_NOR_MOVED}
   returning workspace_id, id, address`,
);
const dropNotifications = sql(
  "lost_key_notifications",
  "delete from notifications where split_part(content_sealed, '.', 1) <> all($1) returning 1",
);
const dropPushKey = sql(
  "lost_key_push_key",
  `update installation
   set push_public_key = null, push_private_key_sealed = null
   where split_part(push_private_key_sealed, '.', 1) <> all($1)`,
);
const dropBrowsers = sql(
  "lost_key_browsers",
  "delete from push_subscriptions where split_part(subscription_sealed, '.', 1) <> all($1) returning 1",
);

/**
 * For a key that nobody has any more: gives the database the one of `box`. Webhooks get new secrets and lose their
 * headers. A second factor stays a second factor: nobody knows the new secret of an authenticator app, so that its
 * owner needs a recovery code, a passkey or the operator. `dryRun` changes nothing.
 */
export async function replaceLostKey(db: Database, box: SecretBox, { dryRun }: { dryRun: boolean }): Promise<Replaced> {
  const rollback = new Error("dry run");
  let replaced: Replaced | undefined;
  try {
    await db.transaction(async (tx) => {
      await tx.query(lock);
      await requireLost(tx, box);
      replaced = await replaceAll(tx, box);
      await writeKeyId(tx, box);
      if (dryRun) throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return replaced as Replaced;
}

async function requireLost(tx: Tx, box: SecretBox): Promise<void> {
  const known = await readKeyId(tx);
  if (known === null || box.keyIds.includes(known))
    throw new Error("The secret key opens what this database holds: nothing has to be replaced.");
  const [moving] = await tx.query<{ id: number }>(findMoving);
  if (moving) throw new Error(`Workspace ${moving.id} is being moved to another cell. Finish or cancel that first.`);
}

async function replaceAll(tx: Tx, box: SecretBox): Promise<Replaced> {
  const webhooks = await replaceWebhooks(tx, box);
  const widgets = await replaceWidgets(tx, box);
  const people = await tx.query<{ id: number; email: string }>(findPeople, [box.keyIds]);
  for (const { id } of people) await replaceTotpSecret(tx, box, id);
  await tx.query(dropPushKey, [box.keyIds]);
  return {
    webhooks,
    widgets,
    people: people.map(({ email }) => email),
    mailboxes: await dropMailboxes(tx, box),
    chats: (await tx.query(dropChats, [box.keyIds])).length,
    notifications: (await tx.query(dropNotifications, [box.keyIds])).length,
    browsers: (await tx.query(dropBrowsers, [box.keyIds])).length,
  };
}

async function replaceWebhooks(tx: Tx, box: SecretBox): Promise<Replaced["webhooks"]> {
  const webhooks = await tx.query<Replaced["webhooks"][number] & { uuid: string }>(findWebhooks, [box.keyIds]);
  for (const { workspace_id: workspaceId, id, uuid } of webhooks) {
    await tx.query(updateWebhook, [
      workspaceId,
      id,
      box.seal(newSigningSecret(), sealContext("secret", uuid)),
      box.seal("[]", sealContext("headers", uuid)),
    ]);
    await record(tx, workspaceId, { action: "webhook.secret_rotated", resource: { type: "webhook", id } });
  }
  return webhooks.map(({ uuid: _, ...shown }) => shown);
}

async function replaceWidgets(tx: Tx, box: SecretBox): Promise<Replaced["widgets"]> {
  const widgets = await tx.query<Replaced["widgets"][number] & { uuid: string }>(findWidgets, [box.keyIds]);
  for (const { workspace_id: workspaceId, id, uuid } of widgets) {
    const sealed = box.seal(newIdentitySecret(), identitySealContext(uuid));
    await tx.query(updateWidget, [workspaceId, id, sealed]);
    await record(tx, workspaceId, { action: "widget.secret_rotated", resource: { type: "widget", id } });
  }
  return widgets.map(({ uuid: _, ...shown }) => shown);
}

const record = (tx: Tx, workspaceId: number, rotated: Parameters<typeof recordAudit>[2]): Promise<void> =>
  recordAudit(tx, operatorOf(workspaceId), {
    ...rotated,
    changes: { overlap_seconds: 0, reason: "secret_key_lost" },
  });

async function dropMailboxes(tx: Tx, box: SecretBox): Promise<Replaced["mailboxes"]> {
  const mailboxes = await tx.query<Replaced["mailboxes"][number]>(dropMailboxSecrets, [box.keyIds]);
  for (const { workspace_id: workspaceId, id } of mailboxes)
    await recordAudit(tx, operatorOf(workspaceId), {
      action: "mailbox.paused",
      resource: { type: "mailbox", id },
      changes: { reason: "secret_key_lost" },
    });
  return mailboxes;
}
