import { type RouteSpec, withServices } from "../../pipeline/route.ts";
import { alertRoutes } from "./alerts.ts";
import { auditExportRoutes } from "./audit-export.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { chartRoutes } from "./charts.ts";
import { contactNoteRoutes } from "./contact-notes.ts";
import { firstStepRoutes } from "./first-steps.ts";
import { inboxSettingRoutes } from "./inbox-settings.ts";
import { invitationRoutes, managedInvitationRoutes } from "./invitations.ts";
import { mailboxTestRoutes } from "./mailbox-test.ts";
import { memberRoutes } from "./members.ts";
import { notificationRoutes } from "./notifications.ts";
import { overviewRoutes } from "./overview.ts";
import { ownDraftRoutes } from "./own-drafts.ts";
import { passwordResetRoutes } from "./password-reset.ts";
import { presenceRoutes } from "./presence.ts";
import { profileRoutes } from "./profile.ts";
import { pushRoutes, pushTestRoute } from "./push.ts";
import { replyDefaultRoutes } from "./reply-defaults.ts";
import { secondFactorRoutes } from "./second-factor.ts";
import type { Services } from "./services.ts";
import { sessionRoutes } from "./session.ts";
import { setupRoutes } from "./setup.ts";
import { ssoRoutes } from "./sso.ts";
import { twoFactorRoutes } from "./two-factor.ts";
import { urlCheckRoutes } from "./url-check.ts";
import { viewCountRoutes } from "./view-counts.ts";
import { widgetInstallationRoutes } from "./widget-installation.ts";

/** What the dashboard needs in addition to the public API: people, their sessions, and charts. The tests walk this list too. */
export const dashboardRoutes = (services: Services): RouteSpec[] =>
  withServices(
    [
      ...setupRoutes,
      ...sessionRoutes,
      ...secondFactorRoutes,
      ...ssoRoutes,
      ...passwordResetRoutes,
      ...twoFactorRoutes,
      ...profileRoutes,
      ...managedInvitationRoutes(),
      ...invitationRoutes,
      ...memberRoutes,
      ...auditExportRoutes,
      ...inboxSettingRoutes,
      ...alertRoutes(),
      ...notificationRoutes,
      ...pushRoutes,
      pushTestRoute(),
      ...contactNoteRoutes,
      ...ownDraftRoutes,
      ...viewCountRoutes,
      ...replyDefaultRoutes,
      ...chartRoutes,
      ...overviewRoutes,
      ...firstStepRoutes,
      ...catalogueRoutes,
      ...presenceRoutes,
      ...urlCheckRoutes,
      ...widgetInstallationRoutes,
      ...mailboxTestRoutes,
    ],
    services,
  );
