import { t } from "../../lib/texts.ts";

/** What concerns people and the workspace, in words. Fields of keys, webhooks and the like are called what the API calls them. */
const FIELDS: Record<string, (value: string) => string> = {
  assign_on_first_reply: (value) => t("assigned on first reply: {value}", { value }),
  email: (value) => t("e-mail: {value}", { value }),
  email_enabled: (value) => t("e-mails: {value}", { value }),
  factor: (value) => t("completed with: {value}", { value }),
  first_steps_hidden: (value) => t("first steps hidden: {value}", { value }),
  invitations_ended: (value) => t("invitations ended: {value}", { value }),
  method: (value) => t("method: {value}", { value }),
  name: (value) => t("name: {value}", { value }),
  new_device: (value) => t("new device: {value}", { value }),
  purpose: (value) => t("purpose: {value}", { value }),
  push_service: (value) => t("push service: {value}", { value }),
  recovery_codes_left: (value) => t("recovery codes left: {value}", { value }),
  require_two_factor: (value) => t("second factor required: {value}", { value }),
  role: (value) => t("role: {value}", { value }),
  second_factor: (value) => t("second factor: {value}", { value }),
  sessions: (value) => t("sessions: {value}", { value }),
  sessions_ended: (value) => t("sessions ended: {value}", { value }),
  slack_host: (value) => t("chat: {value}", { value }),
};

const VALUES: Record<string, string> = {
  owner: t("Owner"),
  admin: t("Admin"),
  agent: t("Agent"),
  password: t("password"),
  passkey: t("passkey"),
  sso: t("single sign-on"),
  totp: t("authenticator app"),
  recovery_code: t("recovery code"),
};

/** The fields whose values are words of ours; what people typed is shown as it is. */
const WITH_WORDS = /^(?:role|method|factor)$/;

/** `role: Agent → Admin`. */
export function wordsOfChange(field: string, value: unknown): string {
  const say = FIELDS[field];
  const shown = changeOf(value, WITH_WORDS.test(field));
  return say ? say(shown) : `${field.replaceAll("_", " ")}: ${shown}`;
}

function changeOf(value: unknown, inWords: boolean): string {
  if (typeof value !== "object" || value === null || !("from" in value && "to" in value)) return show(value, inWords);
  const [from, to] = [show(value.from, inWords), show(value.to, inWords)];
  return from === to ? to : `${from} → ${to}`;
}

function show(value: unknown, inWords = false): string {
  if (value === null || value === undefined || value === "") return t("none");
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (Array.isArray(value)) return value.length === 0 ? t("none") : value.map((one) => show(one)).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  return (inWords ? VALUES[String(value)] : undefined) ?? String(value);
}
