import { type ComponentType, lazy } from "react";
import { MANAGERS, type Role } from "./api/session.ts";

export interface PageRoute {
  /** Below `/w/{workspace}`. A page with pages below it ends in `/*?`. */
  path: string;
  Page: ComponentType;
  /** The roles that may open it; all by default. The server enforces it; this only avoids a page full of errors. */
  roles?: readonly Role[];
  preload: () => Promise<unknown>;
}

function page<Name extends string>(
  path: string,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
  roles?: readonly Role[],
): PageRoute {
  const Page: ComponentType = lazy(async () => ({ default: (await load())[name] as ComponentType }));
  return { path, Page, preload: load, ...(roles ? { roles } : {}) };
}

export const PAGE_ROUTES: readonly PageRoute[] = [
  page("/inbox/*?", () => import("./pages/inbox/index.tsx"), "InboxPages"),
  page("/contacts/*?", () => import("./pages/contacts/index.tsx"), "ContactsPages"),
  page("/overview", () => import("./pages/overview/index.tsx"), "OverviewPage", MANAGERS),
  page("/events", () => import("./pages/events/index.tsx"), "EventsPage", MANAGERS),
  page("/profile", () => import("./pages/profile-page.tsx"), "ProfilePage"),
  page("/security", () => import("./pages/account/security-page.tsx"), "SecurityPage"),
  page("/settings/api-keys/*?", () => import("./pages/api-keys/index.tsx"), "ApiKeysPages", MANAGERS),
  page("/settings/webhooks/*?", () => import("./pages/webhooks/index.tsx"), "WebhooksPages", MANAGERS),
  page("/settings/members", () => import("./pages/members/index.tsx"), "MembersPage", MANAGERS),
  page("/settings/saved-replies", () => import("./pages/saved-replies/index.tsx"), "SavedRepliesPage"),
  page("/settings/audit-log", () => import("./pages/audit/index.tsx"), "AuditPage", MANAGERS),
  page("/settings/workspace", () => import("./pages/workspace-page.tsx"), "WorkspacePage", MANAGERS),
];

/** Where `/` leads. */
export const homeOf = (role: Role): string => (role === "agent" ? "/inbox" : "/overview");

export function preloadPage(pathname: string): void {
  const path = pathname.replace(/^\/w\/\d+/, "");
  const found = PAGE_ROUTES.find((route) => {
    const start = route.path.replace(/\/\*\?$/, "");
    return path === start || path.startsWith(`${start}/`);
  });
  // A failure shows where the page is rendered.
  found?.preload().catch(() => {});
}
