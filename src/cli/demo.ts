import { Command, Option } from "commander";
import { createPasswords } from "../accounts/passwords.ts";
import { fileLimitsOf } from "../app/settings.ts";
import type { Config } from "../config/index.ts";
import { Fault } from "../core/errors.ts";
import {
  createDemo,
  DEMO_SIZES,
  type DemoOptions,
  type DemoSize,
  openDemo,
  removeDemo,
  requireNoDemo,
} from "../demo/demo.ts";
import type { DemoWriter } from "../demo/history.ts";
import { runLive } from "../demo/live.ts";
import { redirectWebhooks, startDemoReceiver } from "../demo/receiver.ts";
import { createFileLinks } from "../files/links.ts";
import { keyOptionsOf, type Store } from "../store.ts";
import { COMMAND, note, report } from "./output.ts";
import { localUrl } from "./server-address.ts";
import { withStore } from "./with-store.ts";

const LIVE_PAUSE_MS = 4_000;

interface DemoFlags {
  size: DemoSize;
  remove?: true;
  live?: true;
  json?: true;
}

export function demoCommand(): Command {
  return new Command("demo")
    .description("Create a workspace with the conversations of two months, to look around in; or remove it.")
    .addOption(new Option("--size <size>", "how many conversations").choices(Object.keys(DEMO_SIZES)).default("small"))
    .option("--live", "keep writing messages and receiving their webhooks until Ctrl+C")
    .option("--remove", "remove the demo and everything in it")
    .option("--json", "print JSON")
    .action((flags: DemoFlags) => {
      if (flags.remove && flags.live) throw new Fault("VALIDATION_ERROR", "Give --live or --remove, not both.");
      if (flags.remove) return withStore((store) => remove(store, flags));
      const handlesSignals = flags.live === true;
      return withStore((store, config) => create(store, config, flags), { ifMissing: "create", handlesSignals });
    });
}

async function create(store: Store, config: Config, flags: DemoFlags): Promise<void> {
  const options = optionsOf(store, config);
  const stop = new AbortController();
  if (flags.live) for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const existing = flags.live ? await openDemo(options) : null;
  const writer = existing ?? (await createNew(options, flags, baseUrlOf(config)));
  if (!flags.live) return;
  const receiver = await startDemoReceiver();
  await redirectWebhooks({ ...writer, secretBox: store.secretBox }, receiver.url);
  note(`The demo's webhooks now lead to ${receiver.url}, a receiver in this process.`);
  note(`For deliveries to get there, run the server with PARLEY_ALLOWED_CIDRS=${receiver.cidr}`);
  note("Writing messages until Ctrl+C …");
  try {
    await runLive(writer, { signal: stop.signal, pauseMs: LIVE_PAUSE_MS, report: note });
  } finally {
    await redirectWebhooks({ ...writer, secretBox: store.secretBox }, null);
    await receiver.close();
  }
}

async function createNew(options: DemoOptions, flags: DemoFlags, baseUrl: string): Promise<DemoWriter> {
  await requireNoDemo(options.db);
  note("Writing two months of conversations …");
  const { workspace, email, password, conversations, writer } = await createDemo(options, flags.size);
  const signInUrl = `${baseUrl}/sign-in?email=${encodeURIComponent(email)}`;
  const shopUrl = `${baseUrl}/demo/shop`;
  const lines = [
    `Created workspace ${workspace.id}, ${workspace.name}, with ${conversations} conversations.`,
    `Sign in as ${email} with the password ${password}`,
    `at ${signInUrl}, once the server runs (npm start).`,
    `Write as a customer in its shop: ${shopUrl}`,
    `Remove it with: ${COMMAND} demo --remove`,
  ];
  const record = { workspace, email, password, conversations, sign_in_url: signInUrl, shop_url: shopUrl };
  report(flags, record, lines.join("\n"));
  return writer;
}

async function remove({ db }: Store, flags: DemoFlags): Promise<void> {
  const workspace = await removeDemo(db);
  report(flags, workspace, `Removed workspace ${workspace.id}, ${workspace.name}, and its people.`);
}

const baseUrlOf = (config: Config): string => config.PARLEY_PUBLIC_URL ?? localUrl(config);

function optionsOf({ db, secretBox }: Store, config: Config): DemoOptions {
  return {
    db,
    secretBox,
    keys: keyOptionsOf(config),
    links: createFileLinks(secretBox, () => baseUrlOf(config)),
    fileLimits: fileLimitsOf(config),
    hashPassword: (password) => createPasswords().hash(password),
  };
}
