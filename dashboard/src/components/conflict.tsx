import { t } from "../lib/texts.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Two people edited the same thing. Nothing is overwritten, and what was typed stays until its author decides. */
export const Conflict = ({ what, onReload }: { what: string; onReload: () => void }) => (
  <Notice
    tone="warning"
    title={t("Someone changed this {what} while you were editing it", { what })}
    actions={
      <Button size="small" onClick={onReload}>
        {t("Discard my changes and load it again")}
      </Button>
    }
  >
    {t("Your changes were not saved. Copy what you need, then load the current version and repeat them.")}
  </Notice>
);
