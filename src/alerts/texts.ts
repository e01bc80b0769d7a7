import { oneLine } from "../mail/mailer.ts";

/** What people read. Plain text, for e-mail and chat alike. */
export interface Text {
  subject: string;
  text: string;
}

const NAME_CHARS_MAX = 100;

/** A name that a user chose, on one line and short, so that it cannot look like a sentence of the message. */
export function shortName(name: string): string {
  const line = oneLine(name);
  return line.length <= NAME_CHARS_MAX ? line : `${line.slice(0, NAME_CHARS_MAX - 1)}…`;
}

/** `2026-07-14 10:00 UTC`. */
export const shownTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const paragraphs = (...parts: (string | null)[]): string => `${parts.filter((part) => part !== null).join("\n\n")}\n`;

export const invitationText = (invitation: {
  inviter: string;
  workspace: string;
  role: string;
  url: string;
  expiresAt: string;
}): Text => ({
  subject: `${shortName(invitation.inviter)} invited you to ${shortName(invitation.workspace)}`,
  text: paragraphs(
    `${shortName(invitation.inviter)} invited you to the workspace "${shortName(invitation.workspace)}" on Parley, with the role ${invitation.role}.`,
    `To join, open this link. It works once, until ${shownTime(new Date(invitation.expiresAt))}:`,
    invitation.url,
    "If you did not expect this, you can ignore this e-mail.",
  ),
});

export const resetText = (reset: { url: string; minutes: number; ip: string | null }): Text => ({
  subject: "Set a new password for Parley",
  text: paragraphs(
    `Someone${reset.ip === null ? "" : ` at the address ${reset.ip}`} asked to set a new password for your account.`,
    `To choose one, open this link. It works once, for ${reset.minutes} minutes:`,
    reset.url,
    "If it was not you, you can ignore this e-mail: your password stays as it is.",
  ),
});

export const passwordChangedText = (change: { url: string; ip: string; at: string }): Text => ({
  subject: "Your password for Parley was changed",
  text: paragraphs(
    `The password of your account was changed with a link from an e-mail, from the address ${change.ip} at ${change.at}. You were signed out everywhere.`,
    `If it was not you, set a new password at once: ${change.url}/forgot-password`,
  ),
});

export const testText = (workspace: string): Text => ({
  subject: `[${shortName(workspace)}] A test from Parley`,
  text: paragraphs("This is a test. Alerts of this workspace will reach you here."),
});

export const newDeviceText = (signIn: { ip: string; userAgent: string | null; at: string; url: string }): Text => ({
  subject: "A new device signed in to your Parley account",
  text: paragraphs(
    "Someone signed in to your account with a browser that has not been used for it before.",
    [
      `Time: ${signIn.at}`,
      `Address: ${signIn.ip}`,
      ...(signIn.userAgent === null ? [] : [`Browser: ${shortName(signIn.userAgent)}`]),
    ].join("\n"),
    `If it was you, nothing needs to be done. If not, set a new password at once: ${signIn.url}/forgot-password`,
  ),
});

export const wrongCodesText = (guesses: { ip: string; count: number; at: string; url: string }): Text => ({
  subject: "Wrong codes were entered for your Parley account",
  text: paragraphs(
    `Your correct password and then ${guesses.count} wrong codes in a row were entered, the last one from the address ${guesses.ip} at ${guesses.at}. Further codes now have to wait, longer each time. A passkey still signs in at once.`,
    `If it was you, nothing needs to be done. If not, your password is known to another person: set a new one at once: ${guesses.url}/forgot-password`,
  ),
});
