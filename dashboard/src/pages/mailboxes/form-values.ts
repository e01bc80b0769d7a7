import type { CreateMailboxBody, Mailbox, UpdateMailboxBody } from "../../api/mailboxes.ts";
import { domainOf, PROVIDERS, type Provider, providerOf, providerOfHost } from "./providers.ts";

type Security = "tls" | "starttls" | "none";

/** A mail server, as the controls hold it. */
export interface Server {
  host: string;
  port: string;
  security: Security;
}

/** What can be edited, as the controls hold it. Passwords and keys are empty: what is stored is never shown. */
export interface FormValues {
  name: string;
  address: string;
  from_name: string;
  /** Of the provider, or "": it follows from the address. */
  provider: string;
  wayIn: "imap" | "smtp" | "http";
  wayOut: "account" | "installation";
  signIn: "password" | "oauth";
  user: string;
  password: string;
  oauth: { token_url: string; client_id: string; client_secret: string; refresh_token: string; scope: string };
  imap: Server;
  smtp: Server;
  /** The server for sending asks nobody to sign in. */
  smtpIsOpen: boolean;
  /** Another account for sending; empty: the same. */
  smtpUser: string;
  smtpPassword: string;
  folder: string;
  /** A date, or "": from now on. */
  since: string;
  after: "nothing" | "seen" | "move";
  moveTo: string;
  signature: string;
  authserv_id: string;
  /** One per line. */
  own_lists: string;
  dkim: { domain: string; selector: string; private_key: string };
}

/** Where the form shows the server's errors itself. */
export const FORM_FIELDS = [
  "name",
  "address",
  "from_name",
  "inbound",
  "outbound",
  "signature",
  "authserv_id",
  "own_lists",
  "dkim",
];

const EMPTY_SERVER: Server = { host: "", port: "", security: "tls" };
const NO_OAUTH = { token_url: "", client_id: "", client_secret: "", refresh_token: "", scope: "" };
const NO_KEY = { domain: "", selector: "", private_key: "" };
const FOLDER = "INBOX";

export const EMPTY_VALUES: FormValues = {
  name: "",
  address: "",
  from_name: "",
  provider: "",
  wayIn: "imap",
  wayOut: "account",
  signIn: "password",
  user: "",
  password: "",
  oauth: NO_OAUTH,
  imap: { ...EMPTY_SERVER, port: "993" },
  smtp: { ...EMPTY_SERVER, port: "465" },
  smtpIsOpen: false,
  smtpUser: "",
  smtpPassword: "",
  folder: FOLDER,
  since: "",
  after: "nothing",
  moveTo: "",
  signature: "",
  authserv_id: "",
  own_lists: "",
  dkim: NO_KEY,
};

export const chosenProvider = ({ provider, address }: Pick<FormValues, "provider" | "address">): Provider | undefined =>
  PROVIDERS.find(({ id }) => id === provider) ?? (provider === "" ? providerOf(address) : undefined);

/** An address or a provider was chosen: the servers and the way to sign in follow from it, also where nothing is known. */
export function prefilled(values: FormValues): FormValues {
  const provider = chosenProvider(values);
  const { oauth } = provider ?? {};
  const domain = domainOf(values.address);
  const guessed = (name: string, port: string): Server => ({
    ...EMPTY_SERVER,
    host: domain && `${name}.${domain}`,
    port,
  });
  return {
    ...values,
    user: values.address.trim(),
    imap: provider?.imap ?? guessed("imap", "993"),
    smtp: provider?.smtp ?? guessed("smtp", "465"),
    signIn: oauth?.only ? "oauth" : oauth ? values.signIn : "password",
    oauth: oauth ? { ...values.oauth, token_url: oauth.tokenUrl, scope: oauth.scope } : NO_OAUTH,
  };
}

export function valuesOf(mailbox: Mailbox): FormValues {
  const { inbound, outbound, dkim } = mailbox;
  const oauth = inbound?.oauth ?? outbound?.oauth;
  const user = inbound?.user ?? outbound?.user ?? "";
  return {
    name: mailbox.name,
    address: mailbox.address,
    from_name: mailbox.from_name ?? "",
    provider: providerOf(mailbox.address) ? "" : (providerOfHost(inbound?.host ?? outbound?.host ?? "")?.id ?? "other"),
    wayIn: inbound?.type ?? "http",
    wayOut: outbound ? "account" : "installation",
    signIn: oauth ? "oauth" : "password",
    user,
    password: "",
    oauth: { ...NO_OAUTH, ...(oauth ? { ...oauth, scope: oauth.scope ?? "" } : {}) },
    imap: serverOf(inbound, "993"),
    smtp: serverOf(outbound, "465"),
    smtpIsOpen: outbound !== null && outbound.user === null,
    smtpUser: outbound && outbound.user !== user ? (outbound.user ?? "") : "",
    smtpPassword: "",
    folder: inbound?.folder ?? FOLDER,
    since: inbound?.since?.slice(0, 10) ?? "",
    ...afterOf(inbound?.after_import),
    signature: mailbox.signature,
    authserv_id: mailbox.authserv_id ?? "",
    own_lists: mailbox.own_lists.join("\n"),
    dkim: { ...NO_KEY, ...dkim },
  };
}

const serverOf = (shown: { host?: string; port?: number; security?: Security } | null, port: string): Server => ({
  host: shown?.host ?? "",
  port: shown?.port ? String(shown.port) : port,
  security: shown?.security ?? "tls",
});

function afterOf(stored: NonNullable<Mailbox["inbound"]>["after_import"]): Pick<FormValues, "after" | "moveTo"> {
  if (stored === "seen") return { after: "seen", moveTo: "" };
  if (stored && typeof stored === "object") return { after: "move", moveTo: stored.move_to ?? "" };
  return { after: "nothing", moveTo: "" };
}

export function bodyOf(values: FormValues): CreateMailboxBody {
  const { name, address, from_name, signature, authserv_id, own_lists, dkim } = values;
  return {
    name: name.trim() || address.trim(),
    address: address.trim(),
    from_name: from_name.trim() || null,
    inbound: inboundOf(values),
    outbound: values.wayOut === "account" ? outboundOf(values) : null,
    signature: signature || null,
    authserv_id: authserv_id.trim() || null,
    own_lists: own_lists.split(/[\s,]+/).filter(Boolean),
    dkim: dkim.domain || dkim.selector || dkim.private_key ? withoutEmpty(dkim, ["private_key"]) : null,
  };
}

/** Only what was changed is sent, so that a colleague's change of another field stays. */
export function changesBetween(before: FormValues, after: FormValues): UpdateMailboxBody {
  const [old, next] = [bodyOf(before), bodyOf(after)];
  const changed = Object.entries(next).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(old[field as keyof CreateMailboxBody]),
  );
  return Object.fromEntries(changed);
}

function inboundOf(values: FormValues): NonNullable<CreateMailboxBody["inbound"]> {
  if (values.wayIn !== "imap") return { type: values.wayIn };
  const { folder, since, after, moveTo } = values;
  return {
    type: "imap",
    ...serverBody(values.imap),
    ...accountBody(values, { user: values.user, password: values.password }),
    folder: folder.trim() || FOLDER,
    since: since || null,
    after_import: after === "move" ? { move_to: moveTo.trim() } : after === "seen" ? "seen" : null,
  };
}

function outboundOf(values: FormValues): NonNullable<CreateMailboxBody["outbound"]> {
  if (values.smtpIsOpen) return { ...serverBody(values.smtp), user: null };
  const own = values.smtpUser.trim() !== "";
  const user = own ? values.smtpUser : values.user;
  const password = own || values.smtpPassword ? values.smtpPassword : values.password;
  return { ...serverBody(values.smtp), ...accountBody(values, { user, password }) };
}

const serverBody = ({ host, port, security }: Server) => ({
  host: host.trim(),
  ...(/^\d+$/.test(port.trim()) ? { port: Number(port) } : {}),
  security,
});

/** Secrets that are left out stay as they are stored. */
function accountBody({ signIn, oauth }: FormValues, { user, password }: { user: string; password: string }) {
  const account = { user: user.trim() || null };
  if (signIn === "password") return { ...account, ...(password ? { password } : {}) };
  return { ...account, oauth: withoutEmpty(oauth, ["client_secret", "refresh_token"]) };
}

function withoutEmpty<Value extends object>(value: Value, names: readonly (keyof Value)[]): Value {
  return Object.fromEntries(
    Object.entries(value).filter(([name, text]) => text !== "" || !names.includes(name as keyof Value)),
  ) as Value;
}
