import { lazy, Suspense, useEffect, useRef } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { useSession, useSessionQuery } from "./api/session.ts";
import { ErrorState } from "./components/states.tsx";
import { Toaster } from "./components/toast.tsx";
import { AppShell } from "./layout/app-shell.tsx";
import { Boundary } from "./layout/boundary.tsx";
import { Forbidden } from "./layout/forbidden.tsx";
import { PageSkeleton } from "./layout/page-skeleton.tsx";
import { SignInPage } from "./pages/auth/sign-in-page.tsx";
import { NotFoundPage } from "./pages/not-found-page.tsx";

const SetupPage = lazy(() => import("./pages/auth/setup-page.tsx").then((m) => ({ default: m.SetupPage })));
const InvitationPage = lazy(() =>
  import("./pages/auth/invitation-page.tsx").then((m) => ({ default: m.InvitationPage })),
);
const ConversationsPage = lazy(() =>
  import("./pages/conversations-page.tsx").then((m) => ({ default: m.ConversationsPage })),
);
const ApiKeysPages = lazy(() => import("./pages/api-keys/index.tsx").then((m) => ({ default: m.ApiKeysPages })));
const WebhooksPages = lazy(() => import("./pages/webhooks/index.tsx").then((m) => ({ default: m.WebhooksPages })));
const MembersPage = lazy(() => import("./pages/members/index.tsx").then((m) => ({ default: m.MembersPage })));
const WorkspacePage = lazy(() => import("./pages/workspace-page.tsx").then((m) => ({ default: m.WorkspacePage })));
const ProfilePage = lazy(() => import("./pages/profile-page.tsx").then((m) => ({ default: m.ProfilePage })));

export function App() {
  return (
    <>
      <Boundary>
        <Suspense fallback={null}>
          <Switch>
            <Route path="/setup" component={SetupPage} />
            <Route path="/sign-in" component={SignInPage} />
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

function SignedIn() {
  const session = useSessionQuery();
  const [path] = useLocation();
  if (session.isPending) return null;
  if (session.error) return <ErrorState error={session.error} onRetry={() => session.refetch()} />;
  if (!session.data) {
    const here = path + window.location.search;
    return <Redirect to={here === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(here)}`} replace />;
  }
  return (
    <AppShell key={session.data.workspace.uuid}>
      <FocusOnNavigation />
      <Boundary key={path}>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            <Route path="/" component={Home} />
            <Route path="/conversations" component={ConversationsPage} />
            <Route path="/profile" component={ProfilePage} />
            <Route path="/settings/api-keys/*?">
              <Needs scope="api-keys:manage">
                <ApiKeysPages />
              </Needs>
            </Route>
            <Route path="/settings/webhooks/*?">
              <Needs scope="webhooks:manage">
                <WebhooksPages />
              </Needs>
            </Route>
            <Route path="/settings/members">
              <Needs scope="api-keys:manage">
                <MembersPage />
              </Needs>
            </Route>
            <Route path="/settings/workspace">
              <Needs scope="api-keys:manage">
                <WorkspacePage />
              </Needs>
            </Route>
            <Route path="/settings">
              <Redirect to="/settings/api-keys" replace />
            </Route>
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </Boundary>
    </AppShell>
  );
}

function Home() {
  const { role } = useSession();
  return <Redirect to={role === "agent" ? "/conversations" : "/settings/api-keys"} replace />;
}

/** The server decides; this only spares people a page full of refusals. */
function Needs({ scope, children }: { scope: string; children: React.ReactNode }) {
  return useSession().scopes.includes(scope) ? children : <Forbidden />;
}

/** A new page begins at its top, and screen readers and the tab key begin there too. */
function FocusOnNavigation() {
  const [path] = useLocation();
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what it waits for
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [path]);
  return null;
}
