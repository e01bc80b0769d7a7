import { type ComponentType, lazy } from "react";
import type { Role } from "./api/session.ts";
import { mayOpen, PAGE_PATHS, type PagePath } from "./site-map.ts";

interface LoadedPage {
  Page: ComponentType;
  preload: () => Promise<unknown>;
  /** There are pages below it. */
  hasSubpages: boolean;
}

function page<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
  { hasSubpages = false } = {},
): LoadedPage {
  const Page: ComponentType = lazy(async () => ({ default: (await load())[name] as ComponentType }));
  return { Page, preload: load, hasSubpages };
}

const PAGES: Record<PagePath, LoadedPage> = {
  "/inbox": page(() => import("./pages/inbox/index.tsx"), "InboxPages", { hasSubpages: true }),
  "/contacts": page(() => import("./pages/contacts/index.tsx"), "ContactsPages", { hasSubpages: true }),
  "/overview": page(() => import("./pages/overview/index.tsx"), "OverviewPage"),
  "/events": page(() => import("./pages/events/index.tsx"), "EventsPage"),
  "/settings/api-keys": page(() => import("./pages/api-keys/index.tsx"), "ApiKeysPages", { hasSubpages: true }),
  "/settings/webhooks": page(() => import("./pages/webhooks/index.tsx"), "WebhooksPages", { hasSubpages: true }),
  "/settings/widgets": page(() => import("./pages/widgets/index.tsx"), "WidgetsPages", { hasSubpages: true }),
  "/settings/members": page(() => import("./pages/members/index.tsx"), "MembersPage"),
  "/settings/saved-replies": page(() => import("./pages/saved-replies/index.tsx"), "SavedRepliesPage"),
  "/settings/audit-log": page(() => import("./pages/audit/index.tsx"), "AuditPage"),
  "/settings/workspace": page(() => import("./pages/workspace-page.tsx"), "WorkspacePage"),
  "/profile": page(() => import("./pages/profile-page.tsx"), "ProfilePage"),
  "/security": page(() => import("./pages/account/security-page.tsx"), "SecurityPage"),
};

export interface PageRoute {
  path: PagePath;
  /** What the router compares an address with. */
  pattern: string;
  Page: ComponentType;
}

export const PAGE_ROUTES: readonly PageRoute[] = PAGE_PATHS.map((path) => {
  const { Page, hasSubpages } = PAGES[path];
  return { path, pattern: hasSubpages ? `${path}/*?` : path, Page };
});

/** Where `/` leads. */
export const homeOf = (role: Role): PagePath => (mayOpen(role, "/overview") ? "/overview" : "/inbox");

export function preloadPage(pathname: string): void {
  const address = pathname.replace(/^\/w\/\d+/, "");
  const found = PAGE_PATHS.find((path) => address === path || address.startsWith(`${path}/`));
  // A failure shows where the page is rendered.
  if (found) PAGES[found].preload().catch(() => {});
}
