import type { Alert, AlertKind } from "./alert.ts";
import { paragraphs, says, shortName, type Text, type Translate } from "./text.ts";

/** Names listed in one message; the rest is counted. */
const LISTED_MAX = 20;

/** What is said about one subject and about several, and what to do. */
interface Wording {
  readonly one: string;
  /** Absent where it concerns the workspace or the installation as a whole. */
  readonly many?: string;
  readonly advice: string;
}

const RENEW_KEY = says("Requests with an expired key are refused. Rotate the key or extend it if it is still in use.");
const NOTHING_TO_DO = says("Nothing needs to be done.");

const WORDINGS: Record<AlertKind, Record<string, Wording>> = {
  webhook: {
    failing_1_hour: {
      one: says('Webhook "{name}" has been failing for an hour'),
      many: says("{n} webhooks have been failing for an hour"),
      advice: says(
        "Nothing is lost: failed deliveries are retried as often as the webhook is set to, and Recover sends what was missed. Look at the log of the webhook, and correct its URL or the receiver.",
      ),
    },
    failing_24_hours: {
      one: says('Webhook "{name}" has been failing for 24 hours'),
      many: says("{n} webhooks have been failing for 24 hours"),
      advice: says("After five days of nothing but failures a webhook is disabled. Correct its URL or the receiver."),
    },
    disabled: {
      one: says('Webhook "{name}" was disabled'),
      many: says("{n} webhooks were disabled"),
      advice: says(
        "Events are not sent there any more. Once the receiver works, enable the webhook and use Recover to send what was missed.",
      ),
    },
    recovered: {
      one: says('Webhook "{name}" is delivering again'),
      many: says("{n} webhooks are delivering again"),
      advice: says("Deliveries that failed in the meantime are sent with their next retries."),
    },
  },
  key: {
    "7_days": {
      one: says('API key "{name}" expires within 7 days'),
      many: says("{n} API keys expire within 7 days"),
      advice: RENEW_KEY,
    },
    "1_day": {
      one: says('API key "{name}" expires within a day'),
      many: says("{n} API keys expire within a day"),
      advice: RENEW_KEY,
    },
  },
  consumer: {
    late: {
      one: says('Consumer "{name}" is behind'),
      many: says("{n} consumers are behind"),
      advice: says(
        "Events wait to be read and acknowledged. Look at the program that reads them. What is older than the retention period is deleted, read or not.",
      ),
    },
    recovered: {
      one: says('Consumer "{name}" has caught up'),
      many: says("{n} consumers have caught up"),
      advice: NOTHING_TO_DO,
    },
  },
  mailbox: {
    failing: {
      one: says('Mailbox "{name}" has been failing for 15 minutes'),
      many: says("{n} mailboxes have been failing for 15 minutes"),
      advice: says(
        "No mail is lost: what arrives waits on the mail server, and replies wait here. Check the mailbox in the settings, which says at which step it fails.",
      ),
    },
    recovered: {
      one: says('Mailbox "{name}" works again'),
      many: says("{n} mailboxes work again"),
      advice: says("What has waited is fetched and sent."),
    },
  },
  backlog: {
    late: {
      one: says("Webhook deliveries are late"),
      advice: says(
        "Deliveries that are due have not been attempted. Check that a server or worker is running and keeps up; a receiver that responds slowly delays its own deliveries.",
      ),
    },
    recovered: { one: says("Webhook deliveries are on time again"), advice: says("The backlog is cleared.") },
  },
  backup: {
    overdue: {
      one: says("The scheduled backup is overdue"),
      advice: says(
        "Look at the log of the server for the reason: a full disk, or a directory that cannot be written to.",
      ),
    },
    recovered: { one: says("A scheduled backup was written again"), advice: NOTHING_TO_DO },
  },
};

const PAGES: Record<AlertKind, string> = {
  webhook: "settings/webhooks",
  key: "settings/api-keys",
  backlog: "overview",
  backup: "overview",
  consumer: "settings/consumers",
  mailbox: "settings/mailboxes",
};

interface Group {
  workspace: string;
  /** Of one workspace, kind and stage. */
  alerts: readonly [Alert, ...Alert[]];
  /** Null: messages have no links. */
  publicUrl: string | null;
}

/** One message about everything of one kind that was found at once: ten thousand failing webhooks cause one message. */
export function alertText(translate: Translate, { workspace, alerts, publicUrl }: Group): Text {
  const [{ kind, stage, workspaceId, subject: first }] = alerts;
  const wording = WORDINGS[kind][stage];
  if (!wording) throw new Error(`An alert ${kind} ${stage} has no text.`);
  const { one, many = one, advice } = wording;
  const n = alerts.length;
  const subject = translate(n === 1 ? one : many, { name: shortName(first?.name ?? ""), n });
  const page = PAGES[kind];
  const link = first && alerts.length === 1 ? `${page}/${first.page ?? first.id}` : page;
  return {
    subject: `[${shortName(workspace)}] ${subject}`,
    text: paragraphs(
      `${subject}.`,
      lines(translate, alerts).join("\n"),
      translate(advice),
      publicUrl === null ? "" : `${publicUrl}/w/${workspaceId}/${link}`,
    ),
  };
}

function lines(t: Translate, alerts: readonly Alert[]): string[] {
  const listed = alerts.slice(0, LISTED_MAX).map(({ subject, detail }) => {
    const shown = detail?.(t) ?? "";
    if (!subject) return shown === "" ? "" : `${shown.charAt(0).toUpperCase()}${shown.slice(1)}.`;
    return `- ${shortName(subject.name)}${shown === "" ? "" : `: ${shown}`}`;
  });
  const n = alerts.length - listed.length;
  return [...listed, ...(n > 0 ? [t("and {n} more", { n })] : [])].filter((line) => line !== "");
}

export const testText = (t: Translate, workspace: string): Text => ({
  subject: `[${shortName(workspace)}] ${t("A test from Parley")}`,
  text: paragraphs(t("This is a test. Alerts of this workspace will reach you here.")),
});

const REASONS = [says("The destination responded with 410 Gone."), says("Every delivery has failed for five days.")];

/** The reasons as the worker writes them; another one stays as it is. */
export const whyDisabled = (translate: Translate, reason: string): string =>
  REASONS.includes(reason) ? translate(reason) : reason;
