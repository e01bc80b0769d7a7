import type { SecretBox } from "../core/secret-box.ts";
import type { Tx } from "../db/database.ts";
import { enqueue, type Notification } from "./queue.ts";
import { invitationText, newDeviceText, passwordChangedText, shownTime, type Text, wrongCodesText } from "./texts.ts";

/** E-mails about a user's account. Null where the operator has set no mail server. */
export interface Notices {
  /** The address that links in e-mails lead to. */
  publicUrl: string;
  /** Queued whether or not such a user exists: the lookup happens when it is sent, so that the response does not reveal it. */
  resetRequested(tx: Tx, request: { email: string; ip: string; requestId: string }): Promise<void>;
  passwordChanged(tx: Tx, change: { email: string; ip: string }): Promise<void>;
  invited(tx: Tx, invitation: Invited): Promise<void>;
  /** A user signed in with a browser that is new to their account. */
  newDevice(tx: Tx, signIn: { email: string; ip: string; userAgent: string | null }): Promise<void>;
  /** After the right password of a user, many wrong codes were sent. */
  wrongCodes(tx: Tx, guesses: { email: string; ip: string; count: number }): Promise<void>;
}

interface Invited {
  workspaceId: number;
  workspace: string;
  inviter: string;
  email: string;
  role: string;
  url: string;
  expiresAt: string;
}

interface NoticeOptions {
  secretBox: SecretBox;
  publicUrl: string;
  /** After a commit: there is something to send. */
  onQueued: () => void;
}

const HOURS_MAX = 72;
/** A later link is of no use. */
const RESET_HOURS_MAX = 1;
export const PASSWORD_RESET = "password_reset";

export function createNotices({ secretBox, publicUrl, onQueued }: NoticeOptions): Notices {
  async function queue(tx: Tx, mail: Omit<Notification, "channel">): Promise<void> {
    await enqueue(tx, secretBox, { ...mail, channel: "email" });
    tx.afterCommit(onQueued);
  }
  const content = (text: Text): Record<string, unknown> => ({ ...text });

  return {
    publicUrl,
    resetRequested: (tx, { email, ...content }) =>
      queue(tx, { recipient: email, workspaceId: null, kind: PASSWORD_RESET, content, hoursMax: RESET_HOURS_MAX }),
    passwordChanged: (tx, { email, ip }) =>
      queue(tx, {
        recipient: email,
        workspaceId: null,
        kind: "password_changed",
        content: content(passwordChangedText({ url: publicUrl, ip, at: shownTime(new Date()) })),
        hoursMax: HOURS_MAX,
      }),
    newDevice: (tx, { email, ...signIn }) =>
      queue(tx, {
        recipient: email,
        workspaceId: null,
        kind: "new_device",
        content: content(newDeviceText({ ...signIn, url: publicUrl, at: shownTime(new Date()) })),
        hoursMax: HOURS_MAX,
      }),
    wrongCodes: (tx, { email, ...guesses }) =>
      queue(tx, {
        recipient: email,
        workspaceId: null,
        kind: "wrong_codes",
        content: content(wrongCodesText({ ...guesses, url: publicUrl, at: shownTime(new Date()) })),
        hoursMax: HOURS_MAX,
      }),
    invited: (tx, { workspaceId, email, ...invitation }) =>
      queue(tx, {
        recipient: email,
        workspaceId,
        kind: "invitation",
        content: content(invitationText(invitation)),
        hoursMax: HOURS_MAX,
      }),
  };
}
