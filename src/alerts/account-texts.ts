import type { Role } from "../accounts/roles.ts";
import { paragraphs, shortName, type Text, type Translate } from "./text.ts";

interface Invitation {
  inviter: string;
  workspace: string;
  role: Role;
  url: string;
  expiresAt: string;
}

export function invitationText(t: Translate, { role, url, expiresAt, ...named }: Invitation): Text {
  const names = { inviter: shortName(named.inviter), workspace: shortName(named.workspace) };
  const invited: Record<Role, string> = {
    owner: t('{inviter} invited you to the workspace "{workspace}" on Parley, as an owner.', names),
    admin: t('{inviter} invited you to the workspace "{workspace}" on Parley, as an admin.', names),
    agent: t('{inviter} invited you to the workspace "{workspace}" on Parley, as an agent.', names),
  };
  return {
    subject: t("{inviter} invited you to {workspace}", names),
    text: paragraphs(
      invited[role],
      t("To join, open this link. It works once, until {time}:", { time: new Date(expiresAt) }),
      url,
      t("If you did not expect this, you can ignore this e-mail."),
    ),
  };
}

export const resetText = (t: Translate, { url, minutes, ip }: { url: string; minutes: number; ip: string }): Text => ({
  subject: t("Set a new password for Parley"),
  text: paragraphs(
    t("Someone at the address {ip} asked to set a new password for your account.", { ip }),
    t("To choose one, open this link. It works once, for {minutes} minutes:", { minutes }),
    url,
    t("If it was not you, you can ignore this e-mail: your password stays as it is."),
  ),
});

/** Where it was done, and when. `url`: of this installation. */
interface Happened {
  ip: string;
  at: Date;
  url: string;
}

const newPasswordAt = (url: string): string => `${url}/forgot-password`;

export const passwordChangedText = (t: Translate, { url, ip, at }: Happened): Text => ({
  subject: t("Your password for Parley was changed"),
  text: paragraphs(
    t(
      "The password of your account was changed with a link from an e-mail, from the address {ip} at {at}. You were signed out everywhere.",
      { ip, at },
    ),
    t("If it was not you, set a new password at once: {url}", { url: newPasswordAt(url) }),
  ),
});

export const newDeviceText = (t: Translate, { ip, at, url, userAgent }: Happened & { userAgent: string | null }) => ({
  subject: t("A new device signed in to your Parley account"),
  text: paragraphs(
    t("Someone signed in to your account with a browser that has not been used for it before."),
    [
      t("Time: {at}", { at }),
      t("Address: {ip}", { ip }),
      ...(userAgent === null ? [] : [t("Browser: {browser}", { browser: shortName(userAgent) })]),
    ].join("\n"),
    t("If it was you, nothing needs to be done. If not, set a new password at once: {url}", {
      url: newPasswordAt(url),
    }),
  ),
});

export const wrongCodesText = (t: Translate, { ip, at, url, count }: Happened & { count: number }): Text => ({
  subject: t("Wrong codes were entered for your Parley account"),
  text: paragraphs(
    t(
      "Your correct password and then {count} wrong codes in a row were entered, the last one from the address {ip} at {at}. Further codes now have to wait, longer each time. A passkey still signs in at once.",
      { count, ip, at },
    ),
    t(
      "If it was you, nothing needs to be done. If not, your password is known to another person: set a new one at once: {url}",
      { url: newPasswordAt(url) },
    ),
  ),
});
