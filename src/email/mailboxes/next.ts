import { formatTimestamp, parseTimestamp } from "../../core/timestamps.ts";
import type { Dkim, Inbound, MailboxRecord, Outbound } from "../../resources/mailbox.ts";
import { type AccountInput, resolveAccount } from "./accounts.ts";
import type { DkimSecret, MailboxSecrets } from "./secrets.ts";

type InboundInput = AccountInput & {
  type: Inbound["type"];
  folder?: string | null;
  since?: string | null;
  after_import?: Inbound["after_import"];
};

/** Null restores the default; absent leaves what is stored. */
export interface MailboxInput {
  name?: string | undefined;
  address?: string | undefined;
  from_name?: string | null | undefined;
  inbound?: InboundInput | null | undefined;
  outbound?: AccountInput | null | undefined;
  dkim?: { domain: string; selector: string; private_key?: string } | null | undefined;
  authserv_id?: string | null | undefined;
  signature?: string | null | undefined;
  own_lists?: string[] | null | undefined;
}

/** The settings, as the API shows them. */
export type ShownSettings = Omit<MailboxRecord, "id" | "uuid" | "status" | "created_at" | "updated_at">;

export interface StoredMailbox {
  record: MailboxRecord;
  secrets: MailboxSecrets;
}

interface NextMailbox {
  shown: ShownSettings;
  secrets: MailboxSecrets;
  problems: { inbound: string[]; outbound: string[]; dkim: string[] };
}

const FOLDER = "INBOX";

/** The settings that follow from a body and from what is stored, and what is missing in them. */
export function nextMailbox(body: MailboxInput, stored: StoredMailbox | null): NextMailbox {
  const before = stored?.record;
  const inbound = nextInbound(body.inbound, stored);
  const outbound = nextOutbound(body.outbound, stored);
  const dkim = nextDkim(body.dkim, stored);
  return {
    shown: {
      name: body.name ?? before?.name ?? "",
      address: body.address ?? before?.address ?? "",
      from_name: kept(body.from_name, before?.from_name ?? null) || null,
      inbound: inbound.shown,
      outbound: outbound.shown,
      dkim: dkim.shown,
      authserv_id: kept(body.authserv_id, before?.authserv_id ?? null) || null,
      signature: kept(body.signature, before?.signature ?? "") ?? "",
      own_lists: kept(body.own_lists, before?.own_lists ?? []) ?? [],
    },
    secrets: { inbound: inbound.secrets, outbound: outbound.secrets, dkim: dkim.secrets },
    problems: { inbound: inbound.problems, outbound: outbound.problems, dkim: dkim.problems },
  };
}

const kept = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);

interface Part<Shown, Secrets> {
  shown: Shown | null;
  secrets: Secrets | null;
  problems: string[];
}

const NONE = { shown: null, secrets: null, problems: [] };

function nextInbound(
  given: MailboxInput["inbound"],
  stored: StoredMailbox | null,
): Part<Inbound, MailboxSecrets["inbound"]> {
  const before = { shown: stored?.record.inbound ?? null, secrets: stored?.secrets.inbound ?? null };
  if (given === undefined) return { ...before, problems: [] };
  if (given === null) return NONE;
  if (given.type !== "imap") return { shown: { type: given.type }, secrets: null, problems: [] };
  const { shown, secrets, problems } = resolveAccount("inbound", given, before);
  const since = given.since ? parseTimestamp(given.since) : null;
  if (given.since && since === null) problems.push("inbound.since must be an ISO 8601 date, or null.");
  const inbound: Inbound = {
    type: "imap",
    ...shown,
    user: shown.user ?? "",
    folder: given.folder || FOLDER,
    since: since && formatTimestamp(since),
    after_import: given.after_import ?? null,
  };
  return { shown: inbound, secrets, problems: [...problems, ...afterImportProblems(given.after_import)] };
}

function afterImportProblems(given: unknown): string[] {
  if (given === undefined || given === null || given === "seen") return [];
  const folder = (given as { move_to?: unknown }).move_to;
  return typeof folder === "string" && folder.trim() !== "" && folder.length <= 255
    ? []
    : ['inbound.after_import must be null, "seen" or { "move_to": "folder" }.'];
}

function nextOutbound(
  given: MailboxInput["outbound"],
  stored: StoredMailbox | null,
): Part<Outbound, MailboxSecrets["outbound"]> {
  const before = { shown: stored?.record.outbound ?? null, secrets: stored?.secrets.outbound ?? null };
  if (given === undefined) return { ...before, problems: [] };
  if (given === null) return NONE;
  return resolveAccount("outbound", given, before);
}

function nextDkim(given: MailboxInput["dkim"], stored: StoredMailbox | null): Part<Dkim, DkimSecret> {
  const before = { shown: stored?.record.dkim ?? null, secrets: stored?.secrets.dkim ?? null };
  if (given === undefined) return { ...before, problems: [] };
  if (given === null) return NONE;
  const { domain, selector, private_key } = given;
  const secrets = private_key === undefined ? before.secrets : { private_key };
  const problems = secrets ? [] : ["dkim.private_key is required."];
  return { shown: { domain: domain.toLowerCase(), selector }, secrets, problems };
}
