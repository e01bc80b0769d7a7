import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useEnter } from "../../api/session.ts";
import { useFinishSso } from "../../api/sso.ts";
import { LinkButton } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/states.tsx";
import { PublicPage } from "../../layout/public-page.tsx";
import { t } from "../../lib/texts.ts";

/** Where the identity provider sends the browser back to. */
export function SsoPage() {
  const enter = useEnter();
  const [, navigate] = useLocation();
  const { mutate, error } = useFinishSso();
  const began = useRef(false);
  useEffect(() => {
    // A code works once, and React may run an effect twice.
    if (began.current) return;
    began.current = true;
    mutate(window.location.search || "?", {
      onSuccess: ({ session, next }) => {
        enter(session);
        navigate(next, { replace: true });
      },
    });
  }, [mutate, enter, navigate]);
  return (
    <PublicPage title={error ? t("That did not work") : t("Signing in")}>
      {error ? (
        <>
          <Notice tone="danger">{error.message}</Notice>
          <LinkButton href="/sign-in" variant="primary" size="wide">
            {t("Back to sign-in")}
          </LinkButton>
        </>
      ) : (
        <Skeleton height={80} />
      )}
    </PublicPage>
  );
}
