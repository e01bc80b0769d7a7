import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { onSessionEnd } from "../api/client.ts";
import { useSession, useSignIn } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field, Input } from "../components/field.tsx";
import { SignInError } from "../pages/auth/sign-in-error.tsx";

/** A session that ends does not take the page along: signing in on top of it keeps what was typed or shown once. */
export function SessionEnded() {
  const [ended, setEnded] = useState(false);
  useEffect(() => onSessionEnd(() => setEnded(true)), []);
  return ended ? <SignInAgain onDone={() => setEnded(false)} /> : null;
}

function SignInAgain({ onDone }: { onDone: () => void }) {
  const { user } = useSession();
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const signIn = useSignIn();
  const submit = () =>
    signIn.mutate(
      { email: user.email, password },
      {
        onSuccess: () => {
          onDone();
          void client.invalidateQueries();
        },
      },
    );
  const leave = () => window.location.assign("/sign-in");
  return (
    <Dialog
      open
      locked
      onClose={leave}
      title="Your session has ended"
      description={`Sign in again as ${user.email} to continue. This page stays as it is; what you were about to save was not saved yet.`}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={leave}>Leave this page</Button>
          <Button type="submit" variant="primary" busy={signIn.isPending}>
            Sign in
          </Button>
        </>
      }
    >
      {signIn.error && <SignInError key={signIn.submittedAt} error={signIn.error} />}
      <input type="hidden" name="email" autoComplete="username" value={user.email} />
      <Field label="Password" error={signIn.error?.details.password}>
        {(control) => (
          <Input
            {...control}
            type="password"
            name="password"
            autoComplete="current-password"
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
