import type { RouteSpec } from "../../pipeline/route.ts";
import { type AlertDeps, alertRoutes } from "./alerts.ts";
import { auditExportRoutes } from "./audit-export.ts";
import { type CatalogueDeps, catalogueRoutes } from "./catalogue.ts";
import { type ChartDeps, chartRoutes } from "./charts.ts";
import { contactNoteRoutes } from "./contact-notes.ts";
import { firstStepRoutes } from "./first-steps.ts";
import { inboxSettingRoutes } from "./inbox-settings.ts";
import { invitationRoutes } from "./invitations.ts";
import { type MailboxTestDeps, mailboxTestRoutes } from "./mailbox-test.ts";
import { type MemberDeps, memberRoutes } from "./members.ts";
import { type NotificationDeps, notificationRoutes } from "./notifications.ts";
import { type OverviewDeps, overviewRoutes } from "./overview.ts";
import { ownDraftRoutes } from "./own-drafts.ts";
import { passwordResetRoutes } from "./password-reset.ts";
import { type PresenceDeps, presenceRoutes } from "./presence.ts";
import { profileRoutes } from "./profile.ts";
import { pushRoutes } from "./push.ts";
import { replyDefaultRoutes } from "./reply-defaults.ts";
import { secondFactorRoutes } from "./second-factor.ts";
import { sessionRoutes } from "./session.ts";
import { setupRoutes } from "./setup.ts";
import { type SsoRouteDeps, ssoRoutes } from "./sso.ts";
import { twoFactorRoutes } from "./two-factor.ts";
import { type UrlCheckDeps, urlCheckRoutes } from "./url-check.ts";
import { viewCountRoutes } from "./view-counts.ts";
import { widgetInstallationRoutes } from "./widget-installation.ts";

export type DashboardDeps = SsoRouteDeps &
  MemberDeps &
  ChartDeps &
  OverviewDeps &
  CatalogueDeps &
  PresenceDeps &
  AlertDeps &
  NotificationDeps &
  UrlCheckDeps &
  MailboxTestDeps;

/** What the dashboard needs in addition to the public API: people, their sessions, and charts. The tests walk this list too. */
export const dashboardRoutes = (deps: DashboardDeps): RouteSpec[] => [
  ...setupRoutes(deps),
  ...sessionRoutes(deps),
  ...secondFactorRoutes(deps),
  ...ssoRoutes(deps),
  ...passwordResetRoutes(deps),
  ...twoFactorRoutes(deps),
  ...profileRoutes(deps),
  ...invitationRoutes(deps),
  ...memberRoutes(deps),
  ...auditExportRoutes(deps.db),
  ...inboxSettingRoutes(deps.db),
  ...alertRoutes(deps),
  ...notificationRoutes(deps),
  ...pushRoutes(deps),
  ...contactNoteRoutes(deps.db),
  ...ownDraftRoutes(deps.db),
  ...viewCountRoutes(deps.db),
  ...replyDefaultRoutes(deps.db),
  ...chartRoutes(deps),
  ...overviewRoutes(deps),
  ...firstStepRoutes(deps.db),
  ...catalogueRoutes(deps),
  ...presenceRoutes(deps),
  ...urlCheckRoutes(deps),
  ...widgetInstallationRoutes(deps.db),
  ...mailboxTestRoutes(deps),
];
