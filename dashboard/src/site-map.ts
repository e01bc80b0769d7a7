import { MANAGERS, type Role } from "./api/session.ts";

interface SitePage {
  title: string;
  /** The roles that may open it; all by default. The server enforces it; this only avoids a page full of errors. */
  roles?: readonly Role[];
}

/** Every page below `/w/{workspace}`, in the order of the palette. Routes, sidebar and palette are derived from it. */
export const SITE_MAP = {
  "/inbox": { title: "Inbox" },
  "/contacts": { title: "Contacts" },
  "/overview": { title: "Overview", roles: MANAGERS },
  "/events": { title: "Events", roles: MANAGERS },
  "/settings/api-keys": { title: "API Keys", roles: MANAGERS },
  "/settings/webhooks": { title: "Webhooks", roles: MANAGERS },
  "/settings/consumers": { title: "Consumers", roles: MANAGERS },
  "/settings/widgets": { title: "Widgets", roles: MANAGERS },
  "/settings/mailboxes": { title: "Mailboxes", roles: MANAGERS },
  "/settings/members": { title: "Members", roles: MANAGERS },
  "/settings/saved-replies": { title: "Saved replies" },
  "/settings/audit-log": { title: "Audit log", roles: MANAGERS },
  "/settings/workspace": { title: "Workspace", roles: MANAGERS },
  "/profile": { title: "Profile" },
  "/security": { title: "Account security" },
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
