import { onlineManager } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSession } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { t } from "../lib/texts.ts";

/** Not a dialog: what was written and not sent stays on the page below, where it can be copied. */
export function Removed() {
  const { workspace } = useSession();
  // Nothing is read or sent again, so that no refusal replaces what the page shows.
  useEffect(() => {
    onlineManager.setOnline(false);
    return () => onlineManager.setOnline(true);
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
