import { randomBytes } from "node:crypto";
import { Command } from "commander";
import { createLogger } from "../core/logger.ts";
import { createSecretBox } from "../core/secret-box.ts";
import { readOrCreateSecretKey, readSecretKey } from "../core/secret-key-file.ts";
import { type Replaced, replaceLostKey } from "../installation-key/replace-lost.ts";
import { migrateWith } from "../store.ts";
import { COMMAND, print, printJson } from "./output.ts";
import { withServer } from "./with-store.ts";

const SHOWN_MAX = 100;

export function secretKeyCommand(): Command {
  return new Command("secret-key").description("What to do about the key that seals secrets.").addCommand(
    new Command("replace-lost")
      .description("Continue without a secret key that is lost. Prints what would be lost with it; --confirm does it.")
      .option("--confirm", "do it: webhooks get new secrets and lose their headers")
      .option("--json", "print JSON")
      .action(async (options: { confirm?: true; json?: true }) => {
        const replaced = await replace({ dryRun: !options.confirm });
        if (options.json) printJson({ replaced: options.confirm ?? false, ...replaced });
        else describe(replaced, { done: options.confirm ?? false });
      }),
  );
}

function replace({ dryRun }: { dryRun: boolean }): Promise<Replaced> {
  return withServer(({ connection }, config) => {
    const box = createSecretBox(config.PARLEY_SECRET_KEY ?? [newKey(config.PARLEY_DATA_DIR, { dryRun })]);
    const logger = createLogger("warn", process.stderr);
    return migrateWith({ connection, logger, applicationName: "parley" }, (db) => replaceLostKey(db, box, { dryRun }));
  });
}

/** Without --confirm no file is written: next to this database it would look like the key that is missing. */
function newKey(dataDir: string, { dryRun }: { dryRun: boolean }): string {
  if (!dryRun) return readOrCreateSecretKey(dataDir);
  return readSecretKey(dataDir) ?? randomBytes(32).toString("base64url");
}

function describe(replaced: Replaced, { done }: { done: boolean }): void {
  const { webhooks, widgets, people, mailboxes, chats, notifications, browsers } = replaced;
  const will = done ? "" : "would ";
  print(`Webhooks that ${will}get a new secret and lose their headers: ${webhooks.length}`);
  for (const { workspace_id, id, name, url } of webhooks.slice(0, SHOWN_MAX))
    print(`  workspace ${workspace_id}, webhook ${id}: ${name} ${new URL(url).origin}`);
  if (webhooks.length > SHOWN_MAX) print("  … (--json prints all of them)");
  print(`Widgets that ${will}get a new identity secret: ${widgets.length}`);
  for (const { workspace_id, id, name } of widgets.slice(0, SHOWN_MAX))
    print(`  workspace ${workspace_id}, widget ${id}: ${name}`);
  print(`People who ${will}need a recovery code, a passkey or \`${COMMAND} users reset-two-factor\`: ${people.length}`);
  for (const email of people.slice(0, SHOWN_MAX)) print(`  ${email}`);
  print(`Mailboxes that ${will}lose their passwords and are paused: ${mailboxes.length}`);
  for (const { workspace_id, id, address } of mailboxes)
    print(`  workspace ${workspace_id}, mailbox ${id}: ${address}`);
  print(`Workspaces that ${will}lose the URL of their chat: ${chats}`);
  print(`Messages to people that wait to be sent and ${done ? "were" : "would be"} dropped: ${notifications}`);
  print(`Browsers that ${will}get no pushes until their person opens the dashboard in them again: ${browsers}`);
  print(
    done
      ? "The database has the new key. Give every receiver the new secret of its webhook, and your servers those of their widgets."
      : "Nothing was changed. Stop every process of Parley, take a backup, then repeat the command with --confirm.",
  );
}
