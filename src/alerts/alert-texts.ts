import type { Alert, AlertKind } from "./alert.ts";
import { paragraphs, shortName, type Text, type Translate } from "./text.ts";

/** Names listed in one message; the rest is counted. */
const LISTED_MAX = 20;

/** The one that it is about, or how many. */
type About = Readonly<{ name: string; n: number }>;

interface Wording {
  readonly subject: string;
  /** What it means and what to do. */
  readonly advice: string;
}

type Say = (t: Translate, about: About) => Wording;

const WEBHOOK: Record<string, Say> = {
  failing_1_hour: (t, about) => ({
    subject:
      about.n === 1
        ? t('Webhook "{name}" has been failing for an hour', about)
        : t("{n} webhooks have been failing for an hour", about),
    advice: t(
      "Nothing is lost: failed deliveries are retried as often as the webhook is set to, and Recover sends what was missed. Look at the log of the webhook, and correct its URL or the receiver.",
    ),
  }),
  failing_24_hours: (t, about) => ({
    subject:
      about.n === 1
        ? t('Webhook "{name}" has been failing for 24 hours', about)
        : t("{n} webhooks have been failing for 24 hours", about),
    advice: t("After five days of nothing but failures a webhook is disabled. Correct its URL or the receiver."),
  }),
  disabled: (t, about) => ({
    subject: about.n === 1 ? t('Webhook "{name}" was disabled', about) : t("{n} webhooks were disabled", about),
    advice: t(
      "Events are not sent there any more. Once the receiver works, enable the webhook and use Recover to send what was missed.",
    ),
  }),
  recovered: (t, about) => ({
    subject:
      about.n === 1 ? t('Webhook "{name}" is delivering again', about) : t("{n} webhooks are delivering again", about),
    advice: t("Deliveries that failed in the meantime are sent with their next retries."),
  }),
};

const KEY: Record<string, Say> = {
  "7_days": (t, about) => ({
    subject:
      about.n === 1
        ? t('API key "{name}" expires within 7 days', about)
        : t("{n} API keys expire within 7 days", about),
    advice: t("Requests with an expired key are refused. Rotate the key or extend it if it is still in use."),
  }),
  "1_day": (t, about) => ({
    subject:
      about.n === 1 ? t('API key "{name}" expires within a day', about) : t("{n} API keys expire within a day", about),
    advice: t("Requests with an expired key are refused. Rotate the key or extend it if it is still in use."),
  }),
};

const CONSUMER: Record<string, Say> = {
  late: (t, about) => ({
    subject: about.n === 1 ? t('Consumer "{name}" is behind', about) : t("{n} consumers are behind", about),
    advice: t(
      "Events wait to be read and acknowledged. Look at the program that reads them. What is older than the retention period is deleted, read or not.",
    ),
  }),
  recovered: (t, about) => ({
    subject: about.n === 1 ? t('Consumer "{name}" has caught up', about) : t("{n} consumers have caught up", about),
    advice: t("Nothing needs to be done."),
  }),
};

const MAILBOX: Record<string, Say> = {
  failing: (t, about) => ({
    subject:
      about.n === 1
        ? t('Mailbox "{name}" has been failing for 15 minutes', about)
        : t("{n} mailboxes have been failing for 15 minutes", about),
    advice: t(
      "No mail is lost: what arrives waits on the mail server, and replies wait here. Check the mailbox in the settings, which says at which step it fails.",
    ),
  }),
  recovered: (t, about) => ({
    subject: about.n === 1 ? t('Mailbox "{name}" works again', about) : t("{n} mailboxes work again", about),
    advice: t("What has waited is fetched and sent."),
  }),
};

const WORDINGS: Record<AlertKind, Record<string, Say>> = {
  webhook: WEBHOOK,
  key: KEY,
  consumer: CONSUMER,
  mailbox: MAILBOX,
  backlog: {
    late: (t) => ({
      subject: t("Webhook deliveries are late"),
      advice: t(
        "Deliveries that are due have not been attempted. Check that a server or worker is running and keeps up; a receiver that responds slowly delays its own deliveries.",
      ),
    }),
    recovered: (t) => ({
      subject: t("Webhook deliveries are on time again"),
      advice: t("The backlog is cleared."),
    }),
  },
  backup: {
    overdue: (t) => ({
      subject: t("The scheduled backup is overdue"),
      advice: t("Look at the log of the server for the reason: a full disk, or a directory that cannot be written to."),
    }),
    recovered: (t) => ({
      subject: t("A scheduled backup was written again"),
      advice: t("Nothing needs to be done."),
    }),
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
export function alertText(t: Translate, { workspace, alerts, publicUrl }: Group): Text {
  const [{ kind, stage, workspaceId, subject: first }] = alerts;
  const say = WORDINGS[kind][stage];
  if (!say) throw new Error(`An alert ${kind} ${stage} has no text.`);
  const { subject, advice } = say(t, { name: shortName(first?.name ?? ""), n: alerts.length });
  const page = PAGES[kind];
  const link = first && alerts.length === 1 ? `${page}/${first.page ?? first.id}` : page;
  return {
    subject: `[${shortName(workspace)}] ${subject}`,
    text: paragraphs(
      `${subject}.`,
      lines(t, alerts).join("\n"),
      advice,
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

/** The reasons as the worker writes them; another one stays as it is. */
export function whyDisabled(t: Translate, reason: string): string {
  const known: Record<string, string> = {
    "The destination responded with 410 Gone.": t("The destination responded with 410 Gone."),
    "Every delivery has failed for five days.": t("Every delivery has failed for five days."),
  };
  return known[reason] ?? reason;
}
