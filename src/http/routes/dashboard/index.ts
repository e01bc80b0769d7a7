import type { RouteSpec } from "../../pipeline/route.ts";
import { type CatalogueDeps, catalogueRoutes } from "./catalogue.ts";
import { type ChartDeps, chartRoutes } from "./charts.ts";
import { invitationRoutes } from "./invitations.ts";
import { memberRoutes } from "./members.ts";
import { type PresenceDeps, presenceRoutes } from "./presence.ts";
import { profileRoutes } from "./profile.ts";
import { sessionRoutes } from "./session.ts";
import { setupRoutes } from "./setup.ts";
import type { SignInDeps } from "./signing-in.ts";

export type DashboardDeps = SignInDeps & ChartDeps & CatalogueDeps & PresenceDeps;

/** What the dashboard needs beside the public API: people, their sessions, and charts. The tests walk this list too. */
export const dashboardRoutes = (deps: DashboardDeps): RouteSpec[] => [
  ...setupRoutes(deps),
  ...sessionRoutes(deps),
  ...profileRoutes(deps),
  ...invitationRoutes(deps),
  ...memberRoutes(deps.db),
  ...chartRoutes(deps),
  ...catalogueRoutes(deps),
  ...presenceRoutes(deps),
];
