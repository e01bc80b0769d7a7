import { newUuid } from "../core/ids.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { ChatSender } from "./chat.ts";
import type { ALERT_CHANNELS } from "./queue.ts";
import { testText } from "./texts.ts";

interface TestMessage {
  channel: (typeof ALERT_CHANNELS)[number];
  workspaceId: number;
  workspace: string;
  /** The address of the user who requests the test: it is sent to nobody else. */
  email: string;
}

/** Sends at once, without the queue. Returns why it failed, or null if it was accepted. */
export type SendTestMessage = (message: TestMessage) => Promise<string | null>;

export const createTestMessages =
  (mailer: Mailer | null, chat: ChatSender): SendTestMessage =>
  async ({ channel, workspaceId, workspace, email }) => {
    const text = testText(workspace);
    try {
      if (channel === "slack") return (await chat.send(workspaceId, text)) ? null : "No chat is set.";
      if (mailer === null) return "This server sends no e-mail: PARLEY_SMTP_URL is not set.";
      await mailer.send({ id: newUuid(), to: email, ...text });
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
