import { Command, CommanderError } from "commander";
import { ConfigError } from "../config/index.ts";
import { Fault } from "../core/errors.ts";
import { EmbeddedRefusal } from "../db/embedded/index.ts";
import { apiCommand } from "./api.ts";
import { doctorCommand } from "./doctor.ts";
import { eventsCommand } from "./events.ts";
import { keysCommand } from "./keys.ts";
import { listenCommand } from "./listen.ts";
import { mcpCommand } from "./mcp.ts";
import { migrateCommand } from "./migrate.ts";
import { openapiCommand } from "./openapi.ts";
import { fail } from "./output.ts";
import { serveCommand } from "./serve.ts";
import { triggerCommand } from "./trigger.ts";
import { usersCommand } from "./users.ts";
import { workerCommand } from "./worker.ts";
import { workspacesCommand } from "./workspaces.ts";

/** Parses, calls, prints. Returns the exit code. */
export async function main(argv: string[]): Promise<number> {
  const program = new Command("parley")
    .description("Self-hosted customer messaging: conversations, API keys and signed webhooks.")
    .showHelpAfterError("(add --help for the options)")
    .exitOverride()
    .addCommand(serveCommand())
    .addCommand(workerCommand())
    .addCommand(migrateCommand())
    .addCommand(workspacesCommand())
    .addCommand(keysCommand())
    .addCommand(usersCommand())
    .addCommand(listenCommand())
    .addCommand(triggerCommand())
    .addCommand(eventsCommand())
    .addCommand(apiCommand())
    .addCommand(mcpCommand())
    .addCommand(doctorCommand())
    .addCommand(openapiCommand());
  try {
    await program.parseAsync(argv, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    fail(explain(error));
    return 1;
  }
}

/** What a person can act on is said in a sentence; only a fault of ours shows its stack. */
function explain(error: unknown): string {
  if (error instanceof Fault) return [error.message, ...Object.values(error.details ?? {}).flat()].join("\n");
  if (error instanceof ConfigError || error instanceof EmbeddedRefusal) return error.message;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    return `${error.message}. Another program listens there; set PORT to a free one.`;
  return error instanceof Error ? error.message : String(error);
}
