import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Redirect, Route, Router, Switch, useLocation } from "wouter";
import { isOfAnotherWorkspace } from "./api/query-keys.ts";
import { CurrentSession, type Session, useSession, useSessionQuery, useSignedOutElsewhere } from "./api/session.ts";
import { ErrorState } from "./components/states.tsx";
import { Toaster } from "./components/toast.tsx";
import { AppShell } from "./layout/app-shell.tsx";
import { Boundary } from "./layout/boundary.tsx";
import { PageSkeleton } from "./layout/page-skeleton.tsx";
import { SessionEnded } from "./layout/session-ended.tsx";
import { followLanguage } from "./lib/language.ts";
import { keepOwnWorkOf } from "./lib/own-work.ts";
import { useScrollMemory } from "./lib/scroll-memory.ts";
import { withTexts } from "./lib/texts.ts";
import { aroundNavigation } from "./lib/unsaved-guard.tsx";
import { rememberWorkspace, workspaceHref, workspaceInUrl } from "./lib/workspace.ts";
import { useLiveUpdates } from "./live/use-live.ts";
import { useNotifications } from "./notify/use-notifications.ts";
import { NotFoundPage } from "./pages/not-found-page.tsx";
import { homeOf, PAGE_ROUTES, type PageRoute } from "./routes.tsx";
import { firstSettingOf, mayOpen, type PagePath } from "./site-map.ts";

const authPage = <Name extends string>(load: () => Promise<Readonly<Record<Name, ComponentType>>>, name: Name) =>
  lazy(async () => ({ default: (await withTexts("auth", load)())[name] as ComponentType }));

const Forbidden = lazy(() => import("./layout/forbidden.tsx").then((m) => ({ default: m.Forbidden })));
const NoSuchWorkspace = lazy(() =>
  import("./layout/no-such-workspace.tsx").then((m) => ({ default: m.NoSuchWorkspace })),
);
const SignInPage = authPage(() => import("./pages/auth/sign-in-page.tsx"), "SignInPage");
const SetupPage = authPage(() => import("./pages/auth/setup-page.tsx"), "SetupPage");
const SsoPage = authPage(() => import("./pages/auth/sso-page.tsx"), "SsoPage");
const InvitationPage = authPage(() => import("./pages/auth/invitation-page.tsx"), "InvitationPage");
const ForgotPasswordPage = authPage(() => import("./pages/auth/forgot-password-page.tsx"), "ForgotPasswordPage");
const ResetPasswordPage = authPage(() => import("./pages/auth/reset-password-page.tsx"), "ResetPasswordPage");

export function App() {
  return (
    <>
      <Boundary>
        <Suspense fallback={null}>
          <Switch>
            <Route path="/setup" component={SetupPage} />
            <Route path="/sign-in" component={SignInPage} />
            <Route path="/sign-in/sso" component={SsoPage} />
            <Route path="/forgot-password" component={ForgotPasswordPage} />
            <Route path="/reset-password" component={ResetPasswordPage} />
            <Route path="/accept-invitation" component={InvitationPage} />
            <Route>
              <SignedIn />
            </Route>
          </Switch>
        </Suspense>
      </Boundary>
      <Toaster />
    </>
  );
}

/** Every page of the signed-in part is at `/w/{workspace}/…`; an address without a workspace leads to the one opened last. */
function SignedIn() {
  const [path] = useLocation();
  const session = useSessionQuery();
  useSignedOutElsewhere();
  const workspace = workspaceInUrl(path);
  const here = path + window.location.search + window.location.hash;
  if (session.data === null)
    return <Redirect to={here === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(here)}`} replace />;
  if (!session.data) {
    if (session.error?.status === 404 && workspace !== null) return <NoSuchWorkspace />;
    return session.error ? <ErrorState error={session.error} onRetry={() => session.refetch()} /> : null;
  }
  if (workspace === null) return <Redirect to={workspaceHref(session.data.workspace.id, here)} replace />;
  return (
    <Router base={workspaceHref(workspace, "")} aroundNav={aroundNavigation}>
      <CurrentSession value={session.data}>
        <WorkspacePages key={workspace} session={session.data} />
      </CurrentSession>
    </Router>
  );
}

function WorkspacePages({ session }: { session: Session }) {
  const [path] = useLocation();
  useOnlyThisWorkspace(session.workspace.id);
  useLayoutEffect(() => keepOwnWorkOf(session.user.id), [session.user.id]);
  // Once: a choice made elsewhere must not load a page again in which something is being written.
  useState(() => followLanguage(session.language));
  useLiveUpdates(session);
  useNotifications(session);
  return (
    <AppShell>
      <FocusOnNavigation />
      <SessionEnded />
      <Boundary resetKey={path}>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            <Route path="/">
              <Redirect to={homeOf(session.role)} replace />
            </Route>
            <Route path="/settings">
              <Redirect to={firstSettingOf(session.role)} replace />
            </Route>
            {PAGE_ROUTES.map((route) => (
              <Route key={route.path} path={route.pattern}>
                <Gate route={route} />
              </Route>
            ))}
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </Boundary>
    </AppShell>
  );
}

/** Where a second factor is required and missing, only the pages of one's own account open. */
const BEFORE_SECOND_FACTOR: readonly PagePath[] = ["/security", "/profile"];

function Gate({ route: { path, Page } }: { route: PageRoute }) {
  const { role, two_factor_needed: needed } = useSession();
  if (needed && !BEFORE_SECOND_FACTOR.includes(path)) return <Redirect to="/security" replace />;
  return mayOpen(role, path) ? <Page /> : <Forbidden />;
}

/** Keys name their workspace already; dropping the others also cancels their retries, which would send this one's header. */
function useOnlyThisWorkspace(id: number): void {
  const client = useQueryClient();
  useLayoutEffect(() => {
    rememberWorkspace(id);
    client.removeQueries({ predicate: ({ queryKey }) => isOfAnotherWorkspace(queryKey, id) });
  }, [client, id]);
}

/**
 * A new page begins at its top, and screen readers and the tab key begin there too. Back and Forward return to where the page
 * was: the browser cannot do it, because the content is not there yet when it tries.
 */
function FocusOnNavigation() {
  const [path] = useLocation();
  const first = useRef(true);
  useScrollMemory();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what it waits for
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    // Never away from a field that is still there: what is typed next would be taken for shortcuts.
    if (document.activeElement?.matches("#main :is(input:not([type=checkbox]), textarea)")) return;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [path]);
  return null;
}
