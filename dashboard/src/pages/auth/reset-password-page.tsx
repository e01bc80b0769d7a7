import { type FormEvent, useState } from "react";
import { useSearchParams } from "wouter";
import { usePasswordResetLink, useResetPassword } from "../../api/password-reset.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { ErrorState, Skeleton } from "../../components/states.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { SignInError } from "./sign-in-error.tsx";

export function ResetPasswordPage() {
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const link = usePasswordResetLink(token);
  const isGone = token === "" || link.error?.status === 404 || link.error?.status === 422;
  if (isGone)
    return (
      <PublicPage title="This link has ended" lead="It was used already, or it has expired. Ask for a new one.">
        <LinkButton href="/forgot-password" size="wide">
          Ask for a new link
        </LinkButton>
      </PublicPage>
    );
  if (link.error)
    return (
      <PublicPage title="New password">
        <ErrorState error={link.error} onRetry={() => link.refetch()} />
      </PublicPage>
    );
  if (link.isPending)
    return (
      <PublicPage title="New password">
        <Skeleton height={120} />
      </PublicPage>
    );
  return <NewPasswordForm token={token} />;
}

function NewPasswordForm({ token }: { token: string }) {
  const [password, setPassword] = useState("");
  const reset = useResetPassword();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate({ token, password });
  };
  if (reset.isSuccess)
    return (
      <PublicPage title="Password changed" lead="You were signed out everywhere. Sign in with your new password.">
        <LinkButton href="/sign-in" size="wide">
          Sign in
        </LinkButton>
      </PublicPage>
    );
  return (
    <PublicPage title="Choose a new password" lead="You will be signed out on every device.">
      <form noValidate onSubmit={submit}>
        {reset.error && <SignInError key={reset.submittedAt} error={reset.error} />}
        <Field label="New password" hint="At least 10 characters." error={reset.error?.details.password}>
          {(control) => (
            <Input
              {...control}
              type="password"
              name="password"
              autoComplete="new-password"
              autoFocus
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="wide" busy={reset.isPending}>
          Save password
        </Button>
      </form>
    </PublicPage>
  );
}
