import type { Alert, AlertKind } from "./alert.ts";
import { shortName, type Text } from "./texts.ts";

/** Names listed in one message; the rest is counted. */
const LISTED_MAX = 20;

interface Wording {
  /** One subject by its name, or several by their number. */
  subject: (what: string, isOne: boolean) => string;
  /** What it means and what to do. */
  advice: string;
}

const WORDINGS: Record<AlertKind, Record<string, Wording>> = {
  webhook: {
    failing_1_hour: {
      subject: (what, isOne) => `${what} ${isOne ? "has" : "have"} been failing for an hour`,
      advice:
        "Nothing is lost: failed deliveries are retried as often as the webhook is set to, and Recover sends what was missed. Look at the log of the webhook, and correct its URL or the receiver.",
    },
    failing_24_hours: {
      subject: (what, isOne) => `${what} ${isOne ? "has" : "have"} been failing for 24 hours`,
      advice: "After five days of nothing but failures a webhook is disabled. Correct its URL or the receiver.",
    },
    disabled: {
      subject: (what, isOne) => `${what} ${isOne ? "was" : "were"} disabled`,
      advice:
        "Events are not sent there any more. Once the receiver works, enable the webhook and use Recover to send what was missed.",
    },
    recovered: {
      subject: (what, isOne) => `${what} ${isOne ? "is" : "are"} delivering again`,
      advice: "Deliveries that failed in the meantime are sent with their next retries.",
    },
  },
  key: {
    "7_days": {
      subject: (what, isOne) => `${what} ${isOne ? "expires" : "expire"} within 7 days`,
      advice: "Requests with an expired key are refused. Rotate the key or extend it if it is still in use.",
    },
    "1_day": {
      subject: (what, isOne) => `${what} ${isOne ? "expires" : "expire"} within a day`,
      advice: "Requests with an expired key are refused. Rotate the key or extend it if it is still in use.",
    },
  },
  backlog: {
    late: {
      subject: () => "Webhook deliveries are late",
      advice:
        "Deliveries that are due have not been attempted. Check that a server or worker is running and keeps up; a receiver that responds slowly delays its own deliveries.",
    },
    recovered: { subject: () => "Webhook deliveries are on time again", advice: "The backlog is cleared." },
  },
  backup: {
    overdue: {
      subject: () => "The scheduled backup is overdue",
      advice: "Look at the log of the server for the reason: a full disk, or a directory that cannot be written to.",
    },
    recovered: { subject: () => "A scheduled backup was written again", advice: "Nothing needs to be done." },
  },
  consumer: {
    late: {
      subject: (what, isOne) => `${what} ${isOne ? "is" : "are"} behind`,
      advice:
        "Events wait to be read and acknowledged. Look at the program that reads them. What is older than the retention period is deleted, read or not.",
    },
    recovered: {
      subject: (what, isOne) => `${what} ${isOne ? "has" : "have"} caught up`,
      advice: "Nothing needs to be done.",
    },
  },
  mailbox: {
    failing: {
      subject: (what, isOne) => `${what} ${isOne ? "has" : "have"} been failing for 15 minutes`,
      advice:
        "No mail is lost: what arrives waits on the mail server, and replies wait here. Check the mailbox in the settings, which says at which step it fails.",
    },
    recovered: {
      subject: (what, isOne) => `${what} ${isOne ? "works" : "work"} again`,
      advice: "What has waited is fetched and sent.",
    },
  },
};

const NOUNS: Record<AlertKind, [one: string, many: string, page: string]> = {
  webhook: ["Webhook", "webhooks", "settings/webhooks"],
  key: ["API key", "API keys", "settings/api-keys"],
  backlog: ["", "", "overview"],
  backup: ["", "", "overview"],
  consumer: ["Consumer", "consumers", "settings/consumers"],
  mailbox: ["Mailbox", "mailboxes", "settings/mailboxes"],
};

interface Group {
  workspace: string;
  /** Of one workspace, kind and stage. */
  alerts: readonly [Alert, ...Alert[]];
  /** Null: messages have no links. */
  publicUrl: string | null;
}

/** One message about everything of one kind that was found at once: ten thousand failing webhooks cause one message. */
export function alertText({ workspace, alerts, publicUrl }: Group): Text {
  const [first] = alerts;
  const { kind, stage, workspaceId, subject } = first;
  const wording = WORDINGS[kind][stage];
  if (!wording) throw new Error(`An alert ${kind} ${stage} has no text.`);
  const [one, many, page] = NOUNS[kind];
  const isOne = alerts.length === 1;
  const what = isOne ? `${one} "${shortName(subject?.name ?? "")}"` : `${alerts.length} ${many}`;
  const link = subject && isOne ? `${page}/${subject.page ?? subject.id}` : page;
  return {
    subject: `[${shortName(workspace)}] ${wording.subject(what, isOne)}`,
    text: [
      `${wording.subject(what, isOne)}.`,
      lines(alerts).join("\n"),
      wording.advice,
      publicUrl === null ? "" : `${publicUrl}/w/${workspaceId}/${link}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n")
      .concat("\n"),
  };
}

function lines(alerts: readonly Alert[]): string[] {
  const listed = alerts.slice(0, LISTED_MAX).map(({ subject, detail }) => {
    if (!subject) return detail === "" ? "" : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;
    return `- ${shortName(subject.name)}${detail === "" ? "" : `: ${detail}`}`;
  });
  const rest = alerts.length - listed.length;
  return [...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].filter((line) => line !== "");
}
