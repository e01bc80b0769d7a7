import { type CallOptions, dashboardApi } from "./client.ts";
import type { AnnouncePresenceBody, Present } from "./dashboard-schema.ts";

export type { Present } from "./dashboard-schema.ts";

/** Reports that a conversation is open here and returns who else has it open, which is outdated within seconds. */
export const announcePresence = (body: AnnouncePresenceBody, options: Pick<CallOptions, "signal">) =>
  dashboardApi<Present[]>("POST", "/presence", { body, ...options });
