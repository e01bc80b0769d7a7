import { ParleyError } from "@parley/client";
import { Command, CommanderError } from "commander";
import { Fault } from "../core/errors.ts";
import { readVersion } from "../core/package-files.ts";
import { apiCommand } from "./api.ts";
import { backupCommand, restoreCommand } from "./backup.ts";
import { completionCommand } from "./completion.ts";
import { consumeCommand } from "./consume.ts";
import { demoCommand } from "./demo.ts";
import { doctorCommand } from "./doctor.ts";
import { eventsCommand } from "./events.ts";
import { explain } from "./explain.ts";
import { keysCommand } from "./keys.ts";
import { listenCommand } from "./listen.ts";
import { mcpCommand } from "./mcp.ts";
import { migrateCommand } from "./migrate.ts";
import { openapiCommand } from "./openapi.ts";
import { fail, printJson, surviveClosedOutput } from "./output.ts";
import { replayCommand } from "./replay.ts";
import { secretKeyCommand } from "./secret-key.ts";
import { serveCommand } from "./serve.ts";
import { triggerCommand } from "./trigger.ts";
import { upgradeCommand } from "./upgrade.ts";
import { usersCommand } from "./users.ts";
import { logsCommand, webhooksCommand } from "./webhooks.ts";
import { workerCommand } from "./worker.ts";
import { workspacesCommand } from "./workspaces.ts";

/** Parses, calls, prints. Returns the exit code. */
export async function main(argv: string[]): Promise<number> {
  surviveClosedOutput();
  const asJson = argv.includes("--json");
  const program = new Command("parley")
    .version(readVersion(), "-V, --version", "print the version")
    .description("Self-hosted customer messaging: conversations, API keys and signed webhooks.")
    .addCommand(serveCommand())
    .addCommand(workerCommand())
    .addCommand(migrateCommand())
    .addCommand(workspacesCommand())
    .addCommand(keysCommand())
    .addCommand(usersCommand())
    .addCommand(listenCommand())
    .addCommand(triggerCommand())
    .addCommand(eventsCommand())
    .addCommand(consumeCommand())
    .addCommand(webhooksCommand())
    .addCommand(logsCommand())
    .addCommand(replayCommand())
    .addCommand(apiCommand())
    .addCommand(mcpCommand())
    .addCommand(demoCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(upgradeCommand())
    .addCommand(secretKeyCommand())
    .addCommand(doctorCommand())
    .addCommand(openapiCommand())
    .addCommand(completionCommand());
  prepare(program, { asJson });
  try {
    await program.parseAsync(argv, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) {
      if (asJson && error.exitCode !== 0) printError("USAGE", error.message.replace(/^error: /, ""));
      return error.exitCode;
    }
    if (asJson) printError(hasCode(error) ? error.code : "FAILED", explain(error));
    else fail(explain(error));
    return 1;
  }
}

const hasCode = (error: unknown): error is Fault | ParleyError =>
  error instanceof Fault || error instanceof ParleyError;

/** A script that asked for JSON gets its errors as JSON too, in the form of the API. */
function printError(code: string, message: string): void {
  printJson({ success: false, error: { code, message } });
}

/** Subcommands do not inherit these settings: each must throw instead of ending the process. */
function prepare(command: Command, { asJson }: { asJson: boolean }): void {
  command.exitOverride().showHelpAfterError("(add --help for the options)");
  if (asJson) command.configureOutput({ writeErr: () => {} });
  for (const option of command.options) if (option.mandatory) option.description += " (required)";
  for (const child of command.commands) prepare(child, { asJson });
}
