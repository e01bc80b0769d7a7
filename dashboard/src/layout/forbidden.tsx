import { Lock } from "lucide-react";
import { ROLES } from "../api/members.ts";
import { useSession } from "../api/session.ts";
import { LinkButton } from "../components/button.tsx";
import { EmptyState } from "../components/states.tsx";
import { usePageTitle } from "../lib/use-page-title.ts";

export function Forbidden() {
  const { role, workspace } = useSession();
  usePageTitle("No access");
  return (
    <EmptyState
      icon={<Lock size={20} />}
      title="This page is for owners and admins"
      actions={<LinkButton href="/inbox">Go to the inbox</LinkButton>}
    >
      Your role in {workspace.name} is {ROLES[role].title.toLowerCase()}. An owner or admin can change it under
      Settings, Members.
    </EmptyState>
  );
}
