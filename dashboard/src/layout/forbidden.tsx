import { Lock } from "lucide-react";
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
      title="Settings are for owners and admins"
      actions={<LinkButton href="/conversations">Go to conversations</LinkButton>}
    >
      You are {role === "agent" ? "an agent" : `an ${role}`} of {workspace.name}, and agents see conversations only. An
      owner or admin can change your role under Settings, Members.
    </EmptyState>
  );
}
