import { unavailable } from "../core/errors.ts";
import { createFairQueue } from "../core/fair-queue.ts";
import { createLru } from "../core/lru.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { WidgetRecord } from "../resources/widget.ts";

/** What every page that shows the widget may know. */
export type PublicWidget = Pick<
  WidgetRecord,
  | "public_id"
  | "allowed_origins"
  | "color"
  | "position"
  | "texts"
  | "ask_name"
  | "ask_email"
  | "require_identity"
  | "mailbox_id"
>;

interface PublicWidgets {
  /** Null: there is none, or it is not active. As it was at most five seconds ago. */
  find(publicId: string): Promise<PublicWidget | null>;
}

export const PUBLIC_ID = /^wid_[a-z0-9]{24}$/;
const KEPT_MAX = 10_000;
const KEPT_MS = 5_000;
/** Anyone may ask, with any name: what is not known yet is looked up a few at a time. */
const LOOKUPS_AT_ONCE = 2;
const LOOKUPS_WAITING_MAX = 1_000;

const findStatement = sql(
  "widget_find_public",
  `select w.public_id, w.allowed_origins, w.color, w.position, w.texts, w.ask_name, w.ask_email,
     w.require_identity, w.mailbox_id
   from widgets w
   where w.public_id = $1
     and w.is_active`,
);

export function createPublicWidgets(db: Queryable): PublicWidgets {
  const known = createLru<string, { widget: PublicWidget | null }>(KEPT_MAX, { ttl: KEPT_MS });
  const lookups = createFairQueue({
    perKey: LOOKUPS_AT_ONCE,
    waitingPerKeyMax: LOOKUPS_WAITING_MAX,
    onFull: () => unavailable("Too many widgets are being looked up. Try again soon."),
  });

  async function read(publicId: string): Promise<PublicWidget | null> {
    const kept = known.get(publicId);
    if (kept) return kept.widget;
    const [widget] = await db.query<PublicWidget>(findStatement, [publicId]);
    known.set(publicId, { widget: widget ?? null });
    return widget ?? null;
  }

  return {
    async find(publicId) {
      if (!PUBLIC_ID.test(publicId)) return null;
      const kept = known.get(publicId);
      return kept ? kept.widget : lookups.run("widgets", () => read(publicId));
    },
  };
}
