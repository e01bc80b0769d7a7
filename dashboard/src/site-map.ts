import { MANAGERS, type Role } from "./api/session.ts";
import { t } from "./lib/texts.ts";

interface SitePage {
  title: string;
  /** The roles that may open it; all by default. The server enforces it; this only avoids a page full of errors. */
  roles?: readonly Role[];
}

/** Every page below `/w/{workspace}`, in the order of the palette. Routes, sidebar and palette are derived from it. */
export const SITE_MAP = {
  "/inbox": { title: t("Inbox") },
  "/contacts": { title: t("Contacts") },
  "/overview": { title: t("Overview"), roles: MANAGERS },
  "/events": { title: t("Events"), roles: MANAGERS },
  "/settings/api-keys": { title: t("API Keys"), roles: MANAGERS },
  "/settings/webhooks": { title: t("Webhooks"), roles: MANAGERS },
  "/settings/consumers": { title: t("Consumers"), roles: MANAGERS },
  "/settings/widgets": { title: t("Widgets"), roles: MANAGERS },
  "/settings/mailboxes": { title: t("Mailboxes"), roles: MANAGERS },
  "/settings/members": { title: t("Members"), roles: MANAGERS },
  "/settings/saved-replies": { title: t("Saved replies") },
  "/settings/audit-log": { title: t("Audit log"), roles: MANAGERS },
  "/settings/workspace": { title: t("Workspace"), roles: MANAGERS },
  "/profile": { title: t("Profile") },
  "/security": { title: t("Account security") },
} satisfies Record<string, SitePage>;

export type PagePath = keyof typeof SITE_MAP;

export const PAGE_PATHS = Object.keys(SITE_MAP) as PagePath[];

/** Where `/settings` leads. */
export const firstSettingOf = (role: Role): PagePath =>
  PAGE_PATHS.find((path) => path.startsWith("/settings/") && mayOpen(role, path)) ?? "/inbox";

export function mayOpen(role: Role, path: PagePath): boolean {
  const { roles }: SitePage = SITE_MAP[path];
  return !roles || roles.includes(role);
}
