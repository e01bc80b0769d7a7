import type { Caller } from "../core/caller.ts";
import { suggestion } from "../core/suggest.ts";
import { sql, type Tx } from "../db/database.ts";
import { coveredTypes, EVENT_TYPES, type EventType, isApiKeyEvent } from "../events/catalogue.ts";
import type { Lane } from "../queue/lane.ts";

const GROUPS = [...new Set(EVENT_TYPES.map((type) => `${type.split(".")[0]}.*`))];
/** Without `*`: as a suggestion it would subscribe to everything. */
const NAMES = [...EVENT_TYPES, ...GROUPS];

/** Sentences about names that are not in the catalogue, each with the nearest that is, if one is near. */
export const subscriptionProblems = (names: readonly string[], field = "events"): string[] =>
  names.flatMap((name, index) =>
    name === "*" || NAMES.includes(name)
      ? []
      : [`${field}[${index}] (${JSON.stringify(name.slice(0, 64))}) is not a known event.${suggestion(name, NAMES)}`],
  );

/** The same about the one type that a test is asked for. */
export const eventTypeProblems = (type: string | undefined): string[] =>
  type === undefined || (EVENT_TYPES as string[]).includes(type)
    ? []
    : [`event_type (${JSON.stringify(type)}) is not a known event.${suggestion(type, EVENT_TYPES)}`];

/** Named one by one or as their group: what `*` covers is not asked for by name. */
export const asksForApiKeyEvents = (names: readonly string[]): boolean => names.some(isApiKeyEvent);

/** The events that reach a webhook with these subscriptions. `webhook.test` reaches only the webhook under test. */
export const subscribedTypes = (
  names: readonly string[],
  { includesApiKeyEvents }: { includesApiKeyEvents: boolean },
): EventType[] =>
  coveredTypes(names).filter((type) => type !== "webhook.test" && (includesApiKeyEvents || !isApiKeyEvent(type)));

/** Events about API keys require more than `webhooks:manage`, wherever they are subscribed to, shown or sent again. */
export const mayReadApiKeyEvents = ({ scopes }: Pick<Caller, "scopes">): boolean => scopes.has("api-keys:manage");

const unsubscribeStatement = sql(
  "webhook_unsubscribe",
  `delete from webhook_subscriptions
    where workspace_id = $1
      and webhook_id = $2`,
);

const subscribeStatement = sql(
  "webhook_subscribe",
  `insert into webhook_subscriptions (workspace_id, event_name, webhook_id)
    select webhook.workspace_id, subscribed.event_name, webhook.id
    from webhooks webhook
    cross join unnest(webhook.events) as subscribed (event_name)
    where webhook.workspace_id = $1
      and webhook.id = $2
      and webhook.is_active`,
);

/** As its `events` name them; a webhook that is disabled has none. */
export async function replaceSubscriptions(tx: Tx, { workspaceId, webhookId }: Lane): Promise<void> {
  await tx.query(unsubscribeStatement, [workspaceId, webhookId]);
  await tx.query(subscribeStatement, [workspaceId, webhookId]);
}
