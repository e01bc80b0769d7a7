import { focusManager } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import { refuseRequests } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { t } from "../lib/texts.ts";

/** Not a dialog: what was written and not sent stays on the page below, where it can be copied. */
export function Removed() {
  const { workspace } = useSession();
  // Nothing is read again by itself, so that no refusal replaces what the page shows; and the server is asked for nothing.
  useLayoutEffect(() => {
    focusManager.setFocused(false);
    const acceptRequests = refuseRequests(t("You were removed from this workspace."));
    return () => {
      acceptRequests();
      focusManager.setFocused(undefined);
    };
  }, []);
  return (
    <Notice
      tone="danger"
      title={t("You were removed from {name}", { name: workspace.name })}
      actions={<Button onClick={() => window.location.assign("/")}>{t("Leave this page")}</Button>}
    >
      {t(
        "Nothing can be sent or saved here any more. If you have written something, copy it before you leave this page.",
      )}
    </Notice>
  );
}
