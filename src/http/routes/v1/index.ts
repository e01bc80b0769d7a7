import type { KeyDeps } from "../../../auth/keys.ts";
import type { Database } from "../../../db/database.ts";
import type { Outbox } from "../../../events/outbox.ts";
import type { RouteSpec } from "../../route.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { auditLogRoutes } from "./audit-logs.ts";
import { contactRoutes } from "./contacts.ts";
import { conversationRoutes } from "./conversations.ts";
import { meRoutes } from "./me.ts";
import { messageRoutes } from "./messages.ts";

export interface RouteDeps {
  db: Database;
  outbox: Outbox;
  keys: KeyDeps;
}

/** Every route of the API. The tests walk this list, so a route that nobody listed cannot be reached unseen. */
export function apiRoutes({ db, outbox, keys }: RouteDeps): RouteSpec[] {
  return [
    ...meRoutes(db),
    ...apiKeyRoutes(db, keys),
    ...auditLogRoutes(db),
    ...contactRoutes(db, outbox),
    ...conversationRoutes(db, outbox),
    ...messageRoutes(db, outbox),
  ];
}
