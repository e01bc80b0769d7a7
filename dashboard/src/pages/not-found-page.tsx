import { Compass } from "lucide-react";
import { LinkButton } from "../components/button.tsx";
import { EmptyState } from "../components/states.tsx";
import { t } from "../lib/texts.ts";
import { usePageTitle } from "../lib/use-page-title.ts";

export function NotFoundPage() {
  usePageTitle(t("Not found"));
  return (
    <EmptyState
      icon={<Compass size={20} />}
      title={t("There is no such page")}
      actions={<LinkButton href="/">{t("Start page")}</LinkButton>}
    >
      {t("The address may be mistyped, or the page was moved.")}
    </EmptyState>
  );
}
