import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../core/logger.ts";
import type { Loop } from "../core/loop.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { SendFailure } from "../core/send-failure.ts";
import type { Database } from "../db/database.ts";
import type { Mailer } from "../mail/mailer.ts";
import { startChannel } from "./channel.ts";
import type { ChatSender } from "./chat.ts";
import { PASSWORD_RESET } from "./notices.ts";
import {
  CHANNELS,
  type Channel,
  type ClaimedNotification,
  correctTimes,
  dropExpired,
  finish,
  postpone,
  sealContextOf,
} from "./queue.ts";
import { prepareReset, type ResetRequest } from "./reset-mail.ts";
import type { Text } from "./text.ts";

interface SenderOptions {
  db: Database;
  secretBox: SecretBox;
  logger: Logger;
  /** Null: this node sends no e-mail and leaves what is queued to others. */
  mail: { mailer: Mailer; publicUrl: string } | null;
  chat: ChatSender;
  push: PushSender;
}

/** What the queue carries for browsers is known to the part that queues it. */
export interface PushSender {
  /** False: nobody should get it any more. Rejects with a SendFailure. */
  send(workspaceId: number, content: unknown): Promise<boolean>;
}

/** `failed`: attempts that will be repeated. `dropped`: messages that were not sent and will not be. */
const OUTCOMES = ["sent", "failed", "dropped"] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface Sender extends Loop {
  stats(): { channel: Channel; outcome: Outcome; count: number }[];
}

/** A mail server that does not respond must not keep the process from stopping; another node sends the message later. */
const CLOSE_MS_MAX = 10_000;
/** Seconds before each retry, ± JITTER; the last repeats until the message is too old. */
const BACK_OFF_SECONDS = [2, 10, 60, 300, 900, 1800, 3600];
const JITTER = 0.2;
const LONGEST_BACK_OFFS = BACK_OFF_SECONDS.map((seconds) => seconds * (1 + JITTER));

/** Sends queued messages. It may run on any number of nodes: each message is claimed by one, and retried if sending fails. */
export function startSender(options: SenderOptions): Sender {
  const { db, logger, mail } = options;
  const channels = CHANNELS.filter((channel) => channel !== "email" || mail !== null);
  const counts = new Map<string, number>();
  const count = (channel: Channel, outcome: Outcome) =>
    counts.set(`${channel} ${outcome}`, (counts.get(`${channel} ${outcome}`) ?? 0) + 1);

  // One loop per channel: a mail server that does not respond must not hold up the chats, nor a chat the e-mails.
  const prepare = async () => {
    await correctTimes(db, LONGEST_BACK_OFFS);
    await dropOld();
  };
  const loops = channels.map((channel) => startChannel({ db, logger, channel, prepare, attempt }));

  /** After an outage of all nodes, or where no node sends e-mail any more. */
  async function dropOld(): Promise<void> {
    for (const { id, channel, kind } of await dropExpired(db)) {
      count(channel, "dropped");
      logger.error({ notification: id, channel, kind }, "a notification is too old to be sent and is dropped");
    }
  }

  async function attempt(notification: ClaimedNotification): Promise<void> {
    const { id, channel, kind } = notification;
    const about = { notification: id, channel, kind };
    try {
      if (await send(options, notification)) count(channel, "sent");
      await finish(db, notification);
    } catch (error) {
      const err = (error as Error).message;
      const retried = !isPermanent(error) && (await postpone(db, notification, backOff(notification.attempts)));
      count(channel, retried ? "failed" : "dropped");
      if (retried) return logger.warn({ ...about, err }, "a notification could not be sent, retrying");
      await finish(db, notification);
      logger.error({ ...about, err }, "a notification could not be sent and is dropped");
    }
  }

  return {
    now() {
      for (const loop of loops) loop.now();
    },
    async close() {
      const ended = Promise.all(loops.map((loop) => loop.close()));
      await Promise.race([ended, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
    },
    stats: () =>
      channels.flatMap((channel) =>
        OUTCOMES.map((outcome) => ({ channel, outcome, count: counts.get(`${channel} ${outcome}`) ?? 0 })),
      ),
  };
}

const isPermanent = (error: unknown): boolean => error instanceof SendFailure && error.permanent;

function backOff(attempts: number): number {
  const seconds = BACK_OFF_SECONDS[Math.min(attempts, BACK_OFF_SECONDS.length) - 1] ?? 0;
  return seconds * (1 + JITTER * (2 * Math.random() - 1));
}

/** False: there is no recipient any more. */
async function send(options: SenderOptions, notification: ClaimedNotification): Promise<boolean> {
  const { db, secretBox, mail, chat, push } = options;
  const { uuid, channel, kind, recipient, workspace_id: workspaceId } = notification;
  const content = JSON.parse(secretBox.open(notification.content_sealed, sealContextOf(uuid))) as unknown;
  if (channel === "slack") return chat.send(workspaceId ?? 0, content as Text);
  if (channel === "push") return push.send(workspaceId ?? 0, content);
  if (mail === null || recipient === null) throw new Error("An e-mail was claimed that cannot be sent here.");
  const text =
    kind === PASSWORD_RESET
      ? await prepareReset(db, mail.publicUrl, { email: recipient, notification, ...(content as ResetRequest) })
      : (content as Text);
  if (text === null) return false;
  await mail.mailer.send({ id: uuid, to: recipient, ...text });
  return true;
}
