import { Lock } from "lucide-react";
import { ROLES } from "../api/members.ts";
import { useSession } from "../api/session.ts";
import { LinkButton } from "../components/button.tsx";
import { EmptyState } from "../components/states.tsx";
import { rich } from "../lib/rich.ts";
import { inSentence, t } from "../lib/texts.ts";
import { usePageTitle } from "../lib/use-page-title.ts";

export function Forbidden() {
  const { role, workspace } = useSession();
  usePageTitle(t("No access"));
  return (
    <EmptyState
      icon={<Lock size={20} />}
      title={t("This page is for owners and admins")}
      actions={<LinkButton href="/inbox">{t("Go to the inbox")}</LinkButton>}
    >
      {rich("Your role in {workspace} is {role}. An owner or admin can change it under {place}.", {
        workspace: workspace.name,
        role: inSentence(ROLES[role].title),
        place: `${t("Settings")}, ${t("Members")}`,
      })}
    </EmptyState>
  );
}
