import type { Mailbox } from "../../api/mailboxes.ts";
import { Badge, type BadgeTone } from "../../components/badge.tsx";

const STATES: Record<Mailbox["status"]["state"], { title: string; tone: BadgeTone }> = {
  ok: { title: "Connected", tone: "success" },
  connecting: { title: "Connecting", tone: "info" },
  error: { title: "Not working", tone: "danger" },
  paused: { title: "Paused", tone: "neutral" },
};

export function StateBadge({ mailbox: { status } }: { mailbox: Mailbox }) {
  const { title, tone } = STATES[status.state];
  return (
    <Badge tone={tone} dot>
      {title}
    </Badge>
  );
}

const WAYS = { imap: "IMAP", smtp: "Parley's receiver", http: "HTTP" } as const;

export const wayInOf = ({ inbound }: Mailbox): string => WAYS[inbound?.type ?? "http"];
