import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Redirect, useSearchParams } from "wouter";
import { type ApiError, dashboardApi } from "../../api/client.ts";
import { type Session, useEnter, useSessionQuery } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { Field, Input } from "../../components/field.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { SignInError } from "./sign-in-error.tsx";

export function SignInPage() {
  const session = useSessionQuery();
  const [search] = useSearchParams();
  const setup = useQuery({
    queryKey: ["setup"],
    queryFn: () => dashboardApi<{ needed: boolean }>("GET", "/setup"),
    enabled: session.data === null,
  });
  if (session.data) return <Redirect to={safePath(search.get("next"))} replace />;
  if (session.isPending) return null;
  return setup.data?.needed ? <SetupNeeded /> : <SignInForm />;
}

function SignInForm() {
  const enter = useEnter();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation<Session, ApiError, void>({
    mutationFn: () => dashboardApi("POST", "/sign-in", { body: { email, password } }),
    onSuccess: enter,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <PublicPage
      title="Sign in"
      foot={
        <>
          Locked out? Whoever runs the server can type <code>npx parley users</code>.
        </>
      }
    >
      <form noValidate onSubmit={submit}>
        {signIn.error && <SignInError key={signIn.submittedAt} error={signIn.error} />}
        <Field label="E-mail" error={signIn.error?.details.email}>
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              autoComplete="username"
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Password" error={signIn.error?.details.password}>
          {(control) => (
            <Input
              {...control}
              type="password"
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="wide" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </PublicPage>
  );
}

const SetupNeeded = () => (
  <PublicPage
    title="Set up Parley"
    lead="The first account is made through a one-time link. The server printed it when it started; look for “/setup?token=”."
  >
    <p>Lost it? Start the server again, and it prints a fresh one:</p>
    <CodeBlock code="npm start" what="command" />
  </PublicPage>
);

/** Only a path of this dashboard: a link must not lead people away after they have signed in. */
function safePath(path: string | null): string {
  return path !== null && /^\/(?![/\\])/.test(path) ? path : "/";
}
