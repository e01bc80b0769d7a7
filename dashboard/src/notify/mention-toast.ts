import type { Event } from "@parley/client";
import { toast } from "../components/toast.tsx";
import { t } from "../lib/texts.ts";
import { workspaceHref } from "../lib/workspace.ts";

/** In the tab in front of its reader: a note that mentions them, unless they are looking at its conversation. */
export function toastMention(event: Event, { userId, workspace }: { userId: number; workspace: number }): void {
  if (event.type !== "conversation.mentioned" || document.visibilityState !== "visible") return;
  const { id, members } = event.data as unknown as { id: number; members: { id: number }[] };
  const href = workspaceHref(workspace, `/inbox/${id}`);
  if (!members.some((member) => member.id === userId) || location.pathname === href) return;
  const open = () => history.pushState(null, "", href);
  toast(t("{name} mentioned you.", { name: event.actor.name ?? t("A colleague") }), {
    action: { label: t("Open it"), run: open },
  });
}
