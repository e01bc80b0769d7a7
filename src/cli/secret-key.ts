import { Command } from "commander";
import { readConfig } from "../config/index.ts";
import { createLogger } from "../core/logger.ts";
import { createSecretBox } from "../core/secret-box.ts";
import { readOrMakeSecretKey } from "../core/secret-key-file.ts";
import { type Replaced, replaceLostKey } from "../installation-key/replace-lost.ts";
import { migrateWith, openServer } from "../store.ts";
import { COMMAND, note, print, printJson } from "./output.ts";

const SHOWN_MAX = 100;

export function secretKeyCommand(): Command {
  return new Command("secret-key").description("What to do about the key that seals secrets.").addCommand(
    new Command("replace-lost")
      .description("Go on without a secret key that nobody has any more. Says what that costs; --confirm does it.")
      .option("--confirm", "do it: webhooks get new secrets and lose their headers")
      .option("--json", "print JSON")
      .action(async (options: { confirm?: true; json?: true }) => {
        const replaced = await replace({ dryRun: !options.confirm });
        if (options.json) printJson({ replaced: options.confirm ?? false, ...replaced });
        else describe(replaced, options.confirm ?? false);
      }),
  );
}

async function replace({ dryRun }: { dryRun: boolean }): Promise<Replaced> {
  const config = readConfig();
  const logger = createLogger("warn", process.stderr);
  const server = await openServer({ config, logger, mode: "attach-or-start", ifMissing: "refuse", report: note });
  try {
    const box = createSecretBox(config.PARLEY_SECRET_KEY ?? [readOrMakeSecretKey(config.PARLEY_DATA_DIR)]);
    const settings = { connection: server.connection, logger, applicationName: "parley" };
    return await migrateWith(settings, (db) => replaceLostKey(db, box, { dryRun }));
  } finally {
    await server.close();
  }
}

function describe({ webhooks, people, chats, notifications }: Replaced, done: boolean): void {
  const has = done ? "" : "would ";
  print(`${webhooks.length} webhooks ${has}get a new secret and lose their headers:`);
  for (const { workspace_id, id, name, url } of webhooks.slice(0, SHOWN_MAX))
    print(`  workspace ${workspace_id}, webhook ${id}: ${name} ${new URL(url).origin}`);
  if (webhooks.length > SHOWN_MAX) print("  … (--json prints all of them)");
  print(`${people.length} people ${has}need a recovery code, a passkey or \`${COMMAND} users reset-two-factor\`:`);
  for (const email of people.slice(0, SHOWN_MAX)) print(`  ${email}`);
  print(`${chats} workspaces ${has}lose the URL of their chat, and ${notifications} messages that wait to be sent go.`);
  print(
    done
      ? "The database has the new key. Give every receiver the new secret of its webhook."
      : "Nothing was changed. Stop every process of Parley, take a backup, then repeat the command with --confirm.",
  );
}
