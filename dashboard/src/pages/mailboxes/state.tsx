import type { Mailbox } from "../../api/mailboxes.ts";
import { Badge, type BadgeTone } from "../../components/badge.tsx";
import { t } from "../../lib/texts.ts";

const STATES: Record<Mailbox["status"]["state"], { title: string; tone: BadgeTone }> = {
  ok: { title: t("Connected"), tone: "success" },
  connecting: { title: t("Connecting"), tone: "info" },
  error: { title: t("Not working"), tone: "danger" },
  paused: { title: t("Paused"), tone: "neutral" },
};

export function StateBadge({ mailbox: { status } }: { mailbox: Mailbox }) {
  const { title, tone } = STATES[status.state];
  return (
    <Badge tone={tone} dot>
      {title}
    </Badge>
  );
}

const WAYS = { imap: "IMAP", smtp: t("Parley's receiver"), http: "HTTP" } as const;

export const wayInOf = ({ inbound }: Mailbox): string => WAYS[inbound?.type ?? "http"];
