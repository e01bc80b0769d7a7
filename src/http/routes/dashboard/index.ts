import type { RouteSpec } from "../../pipeline/route.ts";
import { type AlertOptions, alertRoutes } from "./alerts.ts";
import { auditExportRoutes } from "./audit-export.ts";
import { type CatalogueOptions, catalogueRoutes } from "./catalogue.ts";
import { type ChartOptions, chartRoutes } from "./charts.ts";
import { contactNoteRoutes } from "./contact-notes.ts";
import { firstStepRoutes } from "./first-steps.ts";
import { inboxSettingRoutes } from "./inbox-settings.ts";
import { invitationRoutes } from "./invitations.ts";
import { type MailboxTestOptions, mailboxTestRoutes } from "./mailbox-test.ts";
import { type MemberOptions, memberRoutes } from "./members.ts";
import { type NotificationOptions, notificationRoutes } from "./notifications.ts";
import { type OverviewOptions, overviewRoutes } from "./overview.ts";
import { ownDraftRoutes } from "./own-drafts.ts";
import { passwordResetRoutes } from "./password-reset.ts";
import { type PresenceOptions, presenceRoutes } from "./presence.ts";
import { profileRoutes } from "./profile.ts";
import { pushRoutes } from "./push.ts";
import { replyDefaultRoutes } from "./reply-defaults.ts";
import { secondFactorRoutes } from "./second-factor.ts";
import { sessionRoutes } from "./session.ts";
import { setupRoutes } from "./setup.ts";
import { type SsoRouteOptions, ssoRoutes } from "./sso.ts";
import { twoFactorRoutes } from "./two-factor.ts";
import { type UrlCheckOptions, urlCheckRoutes } from "./url-check.ts";
import { viewCountRoutes } from "./view-counts.ts";
import { widgetInstallationRoutes } from "./widget-installation.ts";

export type DashboardOptions = SsoRouteOptions &
  MemberOptions &
  ChartOptions &
  OverviewOptions &
  CatalogueOptions &
  PresenceOptions &
  AlertOptions &
  NotificationOptions &
  UrlCheckOptions &
  MailboxTestOptions;

/** What the dashboard needs in addition to the public API: people, their sessions, and charts. The tests walk this list too. */
export const dashboardRoutes = (options: DashboardOptions): RouteSpec[] => [
  ...setupRoutes(options),
  ...sessionRoutes(options),
  ...secondFactorRoutes(options),
  ...ssoRoutes(options),
  ...passwordResetRoutes(options),
  ...twoFactorRoutes(options),
  ...profileRoutes(options),
  ...invitationRoutes(options),
  ...memberRoutes(options),
  ...auditExportRoutes(options.db),
  ...inboxSettingRoutes(options.db),
  ...alertRoutes(options),
  ...notificationRoutes(options),
  ...pushRoutes(options),
  ...contactNoteRoutes(options.db),
  ...ownDraftRoutes(options.db),
  ...viewCountRoutes(options.db),
  ...replyDefaultRoutes(options.db),
  ...chartRoutes(options),
  ...overviewRoutes(options),
  ...firstStepRoutes(options.db),
  ...catalogueRoutes(options),
  ...presenceRoutes(options),
  ...urlCheckRoutes(options),
  ...widgetInstallationRoutes(options.db),
  ...mailboxTestRoutes(options),
];
