import { readLanguage } from "../accounts/languages.ts";
import type { Role } from "../accounts/roles.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Tx } from "../db/database.ts";
import { invitationText, newDeviceText, passwordChangedText, wrongCodesText } from "./account-texts.ts";
import { enqueue, type Notification } from "./queue.ts";
import type { ResetRequest } from "./reset-mail.ts";
import { type Text, type Translate, textsIn } from "./text.ts";

/** E-mails about a user's account. Null where the operator has set no mail server. */
export interface Notices {
  /** The address that links in e-mails lead to. */
  publicUrl: string;
  /** Queued whether or not such a user exists: the lookup happens when it is sent, so that the response does not reveal it. */
  resetRequested(tx: Tx, request: ResetRequest & { email: string }): Promise<void>;
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
  inviter: { name: string; email: string };
  email: string;
  role: Role;
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
  /** About the account of the person who has this address, in their language. */
  async function tell(tx: Tx, kind: string, recipient: string, textOf: (t: Translate) => Text): Promise<void> {
    const content = { ...textOf(textsIn((await readLanguage(tx, recipient)) ?? "en")) };
    await queue(tx, { recipient, workspaceId: null, kind, content, hoursMax: HOURS_MAX });
  }
  const here = () => ({ url: publicUrl, at: new Date() });

  return {
    publicUrl,
    resetRequested: (tx, { email, ...content }) =>
      queue(tx, { recipient: email, workspaceId: null, kind: PASSWORD_RESET, content, hoursMax: RESET_HOURS_MAX }),
    passwordChanged: (tx, { email, ip }) =>
      tell(tx, "password_changed", email, (t) => passwordChangedText(t, { ip, ...here() })),
    newDevice: (tx, { email, ...signIn }) =>
      tell(tx, "new_device", email, (t) => newDeviceText(t, { ...signIn, ...here() })),
    wrongCodes: (tx, { email, ...guesses }) =>
      tell(tx, "wrong_codes", email, (t) => wrongCodesText(t, { ...guesses, ...here() })),
    async invited(tx, { workspaceId, email, inviter, ...invitation }) {
      // An address without an account gets it in the language of the colleague who invites.
      const language = (await readLanguage(tx, email)) ?? (await readLanguage(tx, inviter.email)) ?? "en";
      const content = { ...invitationText(textsIn(language), { ...invitation, inviter: inviter.name }) };
      await queue(tx, { recipient: email, workspaceId, kind: "invitation", content, hoursMax: HOURS_MAX });
    },
  };
}
