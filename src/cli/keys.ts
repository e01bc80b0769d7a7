import { Command, Option } from "commander";
import { keyReader } from "../auth/key-list.ts";
import { createKey, type KeyOptions, type NewKey, revokeKey, rotateKey } from "../auth/keys.ts";
import { operatorCaller } from "../auth/operator.ts";
import { ensureFirstWorkspace, findWorkspace, isHere, listWorkspaces, type Workspace } from "../auth/workspaces.ts";
import type { Config } from "../config/index.ts";
import type { Caller } from "../core/caller.ts";
import { hasControlCharacters, NAME_PROBLEM } from "../core/control-characters.ts";
import { Fault, notFound } from "../core/errors.ts";
import { parseRef, type Ref } from "../core/ids.ts";
import { parseTimestamp } from "../core/timestamps.ts";
import type { Tx } from "../db/database.ts";
import type { ApiKeyRecord } from "../resources/api-key.ts";
import { keyOptionsOf, type Store } from "../store.ts";
import { COMMAND, printJson, printTable, report } from "./output.ts";
import { withStore } from "./with-store.ts";

interface Common {
  workspace?: string;
  json?: true;
  quiet?: true;
}

const workspaceOption = () =>
  new Option("--workspace <id>", "id or uuid of the workspace; needed when there are several");
const quietOption = () => new Option("--quiet", "print nothing but the secret");
const list = (text: string): string[] => text.split(",").map((item) => item.trim());

export function keysCommand(): Command {
  return new Command("keys")
    .description("Create and manage API keys.")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand());
}

interface CreateOptions extends Common {
  name: string;
  description?: string;
  type?: NewKey["type"];
  abilities?: string[];
  tier?: string;
  expires?: string;
  allowedIps?: string[];
}

function createCommand(): Command {
  return new Command("create")
    .description("Create a key and print its secret, once.")
    .option("--name <name>", "what people call it", "Command line")
    .option("--description <text>", "what it is for")
    .addOption(new Option("--type <type>", "type of the key").choices(["full", "limited", "webhook", "bot"]))
    .option(
      "--abilities <list>",
      "scopes, comma separated; by default all that the type may hold (a limited key must name them)",
      list,
    )
    .option("--tier <tier>", "rate limit tier; standard by default")
    .option("--expires <timestamp>", "when it expires")
    .option("--allowed-ips <list>", "addresses or CIDRs it may be used from", list)
    .addOption(workspaceOption())
    .option("--json", "print JSON")
    .addOption(quietOption())
    .action((options: CreateOptions) =>
      withStore(async (...opened) => {
        const key = await changeKeys(opened, options, (...by) => createKey(...by, inputOf(options)));
        printSecret(key, options, `Created key ${key.id}, ${key.name} (${key.type}). Its secret, shown this once:`);
      }),
    );
}

const inputOf = (options: CreateOptions): NewKey => ({
  name: nameOf(options.name),
  description: options.description,
  type: options.type,
  abilities: options.abilities,
  rate_limit_tier: options.tier,
  expires_at: options.expires === undefined ? undefined : timestamp(options.expires),
  allowed_ips: options.allowedIps,
});

/** Changes the keys of a workspace, by the operator. */
export async function changeKeys<T>(
  [store, config]: [Store, Config],
  options: { workspace?: string },
  change: (tx: Tx, keys: KeyOptions, caller: Caller) => Promise<T>,
): Promise<T> {
  const caller = operatorCaller(await workspaceOf(store, options), "parley command");
  return store.db.transaction((tx) => change(tx, keyOptionsOf(config), caller));
}

// More than a workspace can have.
const KEYS_MAX = 100_000;

function listCommand(): Command {
  return new Command("list")
    .description("List keys, newest first.")
    .addOption(workspaceOption())
    .option("--json", "print JSON")
    .action((options: Common) =>
      withStore(async (store) => {
        const keys = await keyReader(store.db, await workspaceOf(store, options), {}).rows(KEYS_MAX, 0, null);
        if (options.json) return printJson(keys);
        printTable(
          ["ID", "NAME", "TYPE", "TIER", "STATE", "LAST USED"],
          keys.map((key) => [key.id, key.name, key.type, key.rate_limit_tier, stateOf(key), key.last_used_at]),
        );
      }),
    );
}

function rotateCommand(): Command {
  return new Command("rotate")
    .description("Give a key a new secret and print it, once.")
    .argument("<key>", "id or uuid of the key")
    .option("--overlap <seconds>", "how long the old secret stays valid", Number, 0)
    .addOption(workspaceOption())
    .option("--json", "print JSON")
    .addOption(quietOption())
    .action((text: string, options: Common & { overlap: number }) =>
      withStore(async (...opened) => {
        const overlapSeconds = options.overlap;
        if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > 86_400)
          throw new Fault("VALIDATION_ERROR", "--overlap must be 0 to 86400 seconds.");
        const change = { key: refOf(text), overlapSeconds };
        const rotated = await changeKeys(opened, options, (...by) => rotateKey(...by, change));
        const old = oldSecretSentence(rotated);
        const sentence = `Rotated key ${rotated.id}, ${rotated.name}. ${old} Its new secret, shown this once:`;
        printSecret(rotated, options, sentence);
      }),
    );
}

const oldSecretSentence = ({ old_secret_expires_at: until }: ApiKeyRecord): string =>
  until === null ? "The old secret no longer works." : `The old secret works until ${until}.`;

function revokeCommand(): Command {
  return new Command("revoke")
    .description("Revoke a key permanently.")
    .argument("<key>", "id or uuid of the key")
    .addOption(workspaceOption())
    .option("--json", "print JSON")
    .action((key: string, options: Common) =>
      withStore(async (...opened) => {
        const revoked = await changeKeys(opened, options, (...by) => revokeKey(...by, refOf(key)));
        report(options, revoked, `Revoked key ${revoked.id}, ${revoked.name}.`);
      }),
    );
}

/** The workspace that an argument names, by its id or uuid. */
export async function findGivenWorkspace({ db }: Pick<Store, "db">, text: string): Promise<Workspace> {
  const ref = parseRef(text);
  const found = ref && (await findWorkspace(db, ref));
  if (!found) throw notFound(`workspace ${text}`);
  return found;
}

export async function workspaceOf({ db }: Store, { workspace }: { workspace?: string }): Promise<number> {
  if (workspace !== undefined) {
    const { id } = await findGivenWorkspace({ db }, workspace);
    const found = (await listWorkspaces(db)).find((listed) => listed.id === id);
    if (found && !isHere(found))
      throw new Fault("MISDIRECTED_REQUEST", `Workspace ${id} has moved to cell ${found.moved_to_cell}.`);
    return id;
  }
  const all = (await listWorkspaces(db)).filter((listed) => isHere(listed) && !listed.is_demo);
  if (all.length > 1)
    throw new Fault(
      "VALIDATION_ERROR",
      `There are ${all.length} workspaces; say which with --workspace (see: ${COMMAND} workspaces list).`,
    );
  // Before the first start of the server there is none yet.
  return (all[0] ?? (await ensureFirstWorkspace(db))).id;
}

function refOf(text: string): Ref {
  const ref = parseRef(text);
  if (!ref) throw notFound("API key");
  return ref;
}

export function nameOf(text: string, what = "--name"): string {
  const name = text.trim();
  if (name === "" || name.length > 255) throw new Fault("VALIDATION_ERROR", `${what} must have 1 to 255 characters.`);
  if (hasControlCharacters(name)) throw new Fault("VALIDATION_ERROR", `${what} ${NAME_PROBLEM}`);
  return name;
}

function timestamp(text: string): Date {
  const date = parseTimestamp(text);
  if (!date) throw new Fault("VALIDATION_ERROR", "--expires must be an ISO 8601 timestamp.");
  if (date.getTime() <= Date.now()) throw new Fault("VALIDATION_ERROR", "--expires must be in the future.");
  return date;
}

function printSecret(key: ApiKeyRecord & { key: string }, options: Common, sentence: string): void {
  report(options, key, options.quiet ? key.key : `${sentence}\n${key.key}`);
}

const stateOf = (key: ApiKeyRecord): string =>
  key.is_active ? "active" : key.revoked_at ? "revoked" : key.expires_at ? "expired or paused" : "paused";
