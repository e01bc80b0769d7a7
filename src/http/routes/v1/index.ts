import type { KeyDeps } from "../../../auth/keys.ts";
import type { Database } from "../../../db/database.ts";
import type { RouteSpec } from "../../route.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { auditLogRoutes } from "./audit-logs.ts";
import { meRoutes } from "./me.ts";

export interface RouteDeps {
  db: Database;
  keys: KeyDeps;
}

/** Every route of the API. The tests walk this list, so a route that nobody listed cannot be reached unseen. */
export function apiRoutes({ db, keys }: RouteDeps): RouteSpec[] {
  return [...meRoutes(db), ...apiKeyRoutes(db, keys), ...auditLogRoutes(db)];
}
