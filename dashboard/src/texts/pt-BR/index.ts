import type { Area, Texts } from "../texts.ts";
import { texts } from "./common.ts";

export const common = texts;

export const areas: Record<Area, () => Promise<{ texts: Texts }>> = {
  account: () => import("./account.ts"),
  "api-keys": () => import("./api-keys.ts"),
  audit: () => import("./audit.ts"),
  auth: () => import("./auth.ts"),
  contacts: () => import("./contacts.ts"),
  errors: () => import("./errors.ts"),
  events: () => import("./events.ts"),
  inbox: () => import("./inbox.ts"),
  mailboxes: () => import("./mailboxes.ts"),
  members: () => import("./members.ts"),
  overview: () => import("./overview.ts"),
  "saved-replies": () => import("./saved-replies.ts"),
  webhooks: () => import("./webhooks.ts"),
  widgets: () => import("./widgets.ts"),
};
