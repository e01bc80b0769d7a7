import type { Logger } from "../../core/logger.ts";
import { createLru } from "../../core/lru.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import type { ClaimedDelivery } from "../../queue/claim.ts";
import { type Lane, laneName } from "../../queue/lane.ts";
import { readSettings, type WebhookSettings } from "../../webhooks/settings.ts";

export type SettingsCache = ReturnType<typeof createSettingsCache>;

const WEBHOOKS_MAX = 20_000;
/** Settings that cannot be read, because their secret cannot be opened, are tried again after this time. */
const UNREADABLE_MS = 5_000;

/** Settings are kept as long as the version that a claim brings stays the same. */
export function createSettingsCache(db: Database, secretBox: SecretBox, logger: Logger) {
  const known = createLru<string, WebhookSettings>(WEBHOOKS_MAX);
  const unreadable = createLru<string, true>(WEBHOOKS_MAX, { ttl: UNREADABLE_MS });

  async function read(missing: ReadonlyMap<string, ClaimedDelivery>): Promise<Map<string, WebhookSettings>> {
    const loaded = await readSettings(db, secretBox, [...missing.values()]).catch((error) => {
      logger.error({ err: error }, "reading the settings of webhooks failed, releasing their deliveries");
      return null;
    });
    if (!loaded) return new Map();
    const found = new Map(loaded.map((settings) => [nameOf(settings), settings]));
    for (const [name, settings] of found) known.set(name, settings);
    for (const [name, { webhookId }] of missing)
      if (!found.has(name)) {
        unreadable.set(name, true);
        logger.error({ webhook_id: webhookId }, "a webhook's settings cannot be read, its deliveries stay queued");
      }
    return found;
  }

  return {
    /** What is known of a lane's webhook, which may be out of date. */
    peek: (lane: Lane): WebhookSettings | "unreadable" | undefined =>
      unreadable.has(laneName(lane)) ? "unreadable" : known.get(laneName(lane)),
    /** The settings for these claims, by the names of their lanes; absent where they cannot be read. */
    async load(claims: readonly ClaimedDelivery[]): Promise<Map<string, WebhookSettings>> {
      const found = new Map<string, WebhookSettings>();
      const missing = new Map<string, ClaimedDelivery>();
      for (const claim of claims) {
        const name = laneName(claim);
        const settings = known.get(name);
        if (settings?.version === claim.webhookVersion) found.set(name, settings);
        else if (!unreadable.has(name)) missing.set(name, claim);
      }
      if (missing.size > 0) for (const [name, settings] of await read(missing)) found.set(name, settings);
      return found;
    },
  };
}

const nameOf = ({ workspaceId, id }: WebhookSettings): string => laneName({ workspaceId, webhookId: id });
