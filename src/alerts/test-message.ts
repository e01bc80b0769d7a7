import type { Language } from "../accounts/languages.ts";
import { newUuid } from "../core/ids.ts";
import type { Mailer } from "../mail/mailer.ts";
import { testText } from "./alert-texts.ts";
import type { ChatSender } from "./chat.ts";
import type { ALERT_CHANNELS } from "./queue.ts";
import { textsIn } from "./text.ts";

interface TestMessage {
  channel: (typeof ALERT_CHANNELS)[number];
  workspaceId: number;
  workspace: string;
  /** The address of the user who requests the test: it is sent to nobody else. */
  email: string;
  /** Of that user. */
  language: Language | null;
}

/** Sends at once, without the queue. Returns why it failed, or null if it was accepted. */
export type SendTestMessage = (message: TestMessage) => Promise<string | null>;

export const createTestMessages =
  (mailer: Mailer | null, chat: ChatSender): SendTestMessage =>
  async ({ channel, workspaceId, workspace, email, language }) => {
    const text = testText(textsIn(language ?? "en"), workspace);
    try {
      if (channel === "slack") return (await chat.send(workspaceId, text)) ? null : "No chat is set.";
      if (mailer === null) return "This server sends no e-mail: PARLEY_SMTP_URL is not set.";
      await mailer.send({ id: newUuid(), to: email, ...text });
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
