import type { FormEvent, ReactNode } from "react";
import type { ApiError } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { SignInError } from "./sign-in-error.tsx";

interface AuthFormProps {
  /** The request that the form sends. */
  request: { error: ApiError | null; isPending: boolean; submittedAt: number };
  onSubmit: () => void;
  /** The text of the button that sends it. */
  button: string;
  /** Shown instead of the error of the request. */
  notice?: ReactNode;
  children: ReactNode;
}

/** The form of a page for people who are not signed in: what went wrong, the fields, and one button. */
export function AuthForm({ request, onSubmit, button, notice, children }: AuthFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form noValidate onSubmit={submit}>
      {notice ?? (request.error && <SignInError key={request.submittedAt} error={request.error} />)}
      {children}
      <Button type="submit" variant="primary" size="wide" busy={request.isPending}>
        {button}
      </Button>
    </form>
  );
}
