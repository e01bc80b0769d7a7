import { type ComponentType, lazy } from "react";
import type { Role } from "./api/session.ts";
import { withTexts } from "./lib/texts.ts";
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
  "/inbox": page(
    withTexts("inbox", () => import("./pages/inbox/index.tsx")),
    "InboxPages",
    { hasSubpages: true },
  ),
  "/contacts": page(
    withTexts("contacts", () => import("./pages/contacts/index.tsx")),
    "ContactsPages",
    { hasSubpages: true },
  ),
  "/overview": page(
    withTexts("overview", () => import("./pages/overview/index.tsx")),
    "OverviewPage",
  ),
  "/events": page(
    withTexts("events", () => import("./pages/events/index.tsx")),
    "EventsPage",
  ),
  "/settings/api-keys": page(
    withTexts("api-keys", () => import("./pages/api-keys/index.tsx")),
    "ApiKeysPages",
    { hasSubpages: true },
  ),
  "/settings/webhooks": page(
    withTexts("webhooks", () => import("./pages/webhooks/index.tsx")),
    "WebhooksPages",
    { hasSubpages: true },
  ),
  "/settings/consumers": page(
    withTexts("webhooks", () => import("./pages/webhooks/consumers/index.tsx")),
    "ConsumersPages",
    { hasSubpages: true },
  ),
  "/settings/widgets": page(
    withTexts("widgets", () => import("./pages/widgets/index.tsx")),
    "WidgetsPages",
    { hasSubpages: true },
  ),
  "/settings/mailboxes": page(
    withTexts("mailboxes", () => import("./pages/mailboxes/index.tsx")),
    "MailboxesPages",
    { hasSubpages: true },
  ),
  "/settings/members": page(
    withTexts("members", () => import("./pages/members/index.tsx")),
    "MembersPage",
  ),
  "/settings/saved-replies": page(
    withTexts("saved-replies", () => import("./pages/saved-replies/index.tsx")),
    "SavedRepliesPage",
  ),
  "/settings/audit-log": page(
    withTexts("audit", () => import("./pages/audit/index.tsx")),
    "AuditPage",
  ),
  "/settings/workspace": page(() => import("./pages/workspace-page.tsx"), "WorkspacePage"),
  "/profile": page(() => import("./pages/profile-page.tsx"), "ProfilePage"),
  "/security": page(
    withTexts("account", () => import("./pages/account/security-page.tsx")),
    "SecurityPage",
  ),
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
