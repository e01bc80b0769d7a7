import { appendFileSync } from "node:fs";
import { Command } from "commander";
import { deleteWorkspace } from "../auth/workspace-changes.ts";
import { cleanMoved } from "../cells/clean.ts";
import { cancelMove, inspectMove, moveWorkspace } from "../cells/move.ts";
import { MoveRefusal } from "../cells/preflight.ts";
import { createLogger } from "../core/logger.ts";
import type { Store } from "../store.ts";
import { findGivenWorkspace } from "./keys.ts";
import { COMMAND, note, print, printJson, printTable, report } from "./output.ts";
import { withStore } from "./with-store.ts";

interface MoveFlags {
  to: string;
  dryRun?: true;
  cancel?: true;
  waitSeconds: string;
  proxyMap?: string;
  json?: true;
}

export function moveCommand(): Command {
  return new Command("move")
    .description("Move a workspace to another cell while both run. Repeat it after an interruption: it continues.")
    .argument("<workspace>", "id or uuid of the workspace")
    .requiredOption("--to <database url>", "the database of the other cell")
    .option("--dry-run", "say what would be moved and whether it can be; change nothing")
    .option("--cancel", "let a workspace whose move was interrupted stay here")
    .option("--wait-seconds <seconds>", "how long to wait for deliveries in flight, or to cancel", "120")
    .option("--proxy-map <file>", "append the digests of its keys and the new cell, for a proxy that routes by them")
    .option("--json", "print JSON")
    .action((ref: string, flags: MoveFlags) => withStore((store) => run(store, ref, flags)));
}

async function run(store: Store, ref: string, flags: MoveFlags): Promise<void> {
  const { id: workspaceId } = await findGivenWorkspace(store, ref);
  const cells = { workspaceId, source: store.listenConnection ?? store.connection, target: targetOf(flags.to) };
  if (flags.dryRun) return printPlan(await inspectMove(cells), flags);
  const waitMs = waitMsOf(flags.waitSeconds);
  if (flags.cancel) {
    await cancelMove({ ...cells, waitMs });
    return report(flags, { workspace_id: workspaceId, canceled: true }, `Workspace ${workspaceId} stays here.`);
  }
  if (flags.proxyMap) requireWritable(flags.proxyMap);
  const logger = createLogger("warn", process.stderr);
  const { cell, rows, pausedMs, keyDigests } = await moveWorkspace({
    ...cells,
    db: store.db,
    logger,
    waitMs,
    report: note,
  });
  if (flags.proxyMap) appendFileSync(flags.proxyMap, keyDigests.map((digest) => `${digest} c${cell}\n`).join(""));
  if (flags.json) return printJson({ workspace_id: workspaceId, cell, rows, paused_ms: pausedMs });
  print(
    `Moved workspace ${workspaceId} to cell ${cell}: ${rows} rows${pausedMs === null ? "" : `, writes refused for ${pausedMs} ms`}.`,
  );
  print(
    `Let the proxy route its keys there. Then remove what is left here: ${COMMAND} workspaces clean ${workspaceId}`,
  );
}

function printPlan({ cell, state, sizes }: Awaited<ReturnType<typeof inspectMove>>, { json }: MoveFlags): void {
  if (json) {
    printJson({ cell, state, tables: sizes });
    return;
  }
  printTable(
    ["TABLE", "ROWS", "BYTES"],
    sizes.map(({ table, rows, bytes }) => [table, rows, bytes]),
  );
  const rows = sizes.reduce((sum, size) => sum + size.rows, 0);
  print(`\n${rows} rows would move to cell ${cell}. Nothing was changed.`);
}

export function cleanCommand(): Command {
  return new Command("clean")
    .description(
      "Delete what a workspace left behind when it moved to another cell. Requests with its keys still learn its new cell.",
    )
    .argument("<workspace>", "id or uuid of the workspace")
    .option("--forget", "delete that too, so that the workspace can move back")
    .option("--json", "print JSON")
    .action((ref: string, options: { forget?: true; json?: true }) =>
      withStore(async (store) => {
        const { id } = await findGivenWorkspace(store, ref);
        const rows = await cleanMoved(store.connection, id);
        if (options.forget) await deleteWorkspace(store.db, id);
        const sentence = `Removed ${rows} ${rows === 1 ? "row" : "rows"} of workspace ${id}.`;
        report(options, { workspace_id: id, rows }, sentence);
      }),
    );
}

/** Never printed: it may hold a password. */
function targetOf(url: string): { connectionString: string } {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new MoveRefusal("--to must be the database of the other cell, as postgres://…");
  return { connectionString: url };
}

/** Before the move: after it, a proxy without the new entries would send requests to the wrong cell. */
function requireWritable(file: string): void {
  try {
    appendFileSync(file, "");
  } catch (error) {
    throw new MoveRefusal(`--proxy-map cannot be written: ${(error as Error).message}. Nothing was changed.`);
  }
}

function waitMsOf(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,5}$/.test(text)) throw new MoveRefusal("--wait-seconds must be a number of seconds.");
  return seconds * 1_000;
}
