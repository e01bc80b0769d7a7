import { Command } from "commander";
import { deleteWorkspace, renameWorkspace } from "../auth/workspace-changes.ts";
import { createWorkspace, type ListedWorkspace, listWorkspaces } from "../auth/workspaces.ts";
import { Fault } from "../core/errors.ts";
import { findGivenWorkspace as find, nameOf } from "./keys.ts";
import { cleanCommand, moveCommand } from "./move.ts";
import { COMMAND, printJson, printTable, report } from "./output.ts";
import { withStore } from "./with-store.ts";

export function workspacesCommand(): Command {
  return new Command("workspaces")
    .description("Manage workspaces. Each has its own keys, conversations and webhooks.")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(renameCommand())
    .addCommand(deleteCommand())
    .addCommand(moveCommand())
    .addCommand(cleanCommand());
}

function createCommand(): Command {
  return new Command("create")
    .description("Create a workspace.")
    .argument("[name]", "what people call it (required, here or as --name)")
    .option("--name <name>", "the same, as an option")
    .option("--json", "print JSON")
    .action((given: string | undefined, options: { name?: string; json?: true }) =>
      withStore(async ({ db }) => {
        const workspace = await createWorkspace(db, nameOf(given ?? options.name ?? "", NAME));
        report(
          options,
          workspace,
          `Created workspace ${workspace.id}, ${workspace.name}. Its first key: ${COMMAND} keys create --workspace ${workspace.id} --name first`,
        );
      }),
    );
}

function listCommand(): Command {
  return new Command("list")
    .description("List workspaces.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      withStore(async ({ db }) => {
        const workspaces = await listWorkspaces(db);
        if (options.json) return printJson(workspaces);
        printTable(
          ["ID", "NAME", "CREATED", "WHERE"],
          workspaces.map((item) => [item.id, item.name, item.created_at, whereIs(item)]),
        );
      }),
    );
}

function whereIs({ move_state, moved_to_cell }: ListedWorkspace): string {
  if (move_state === null) return "here";
  return move_state === "moved" ? `moved to cell ${moved_to_cell}` : `moving to cell ${moved_to_cell}`;
}

function renameCommand(): Command {
  return new Command("rename")
    .description("Change the name of a workspace.")
    .argument("<workspace>", "id or uuid of the workspace")
    .argument("<name>", "its new name")
    .option("--json", "print JSON")
    .action((ref: string, name: string, options: { json?: true }) =>
      withStore(async (store) => {
        const renamed = await renameWorkspace(store.db, (await find(store, ref)).id, nameOf(name, NAME));
        report(options, renamed, `Renamed workspace ${renamed.id} to ${renamed.name}.`);
      }),
    );
}

function deleteCommand(): Command {
  return new Command("delete")
    .description("Delete a workspace with everything in it. This cannot be undone.")
    .argument("<workspace>", "id or uuid of the workspace")
    .requiredOption("--confirm <name>", "the exact name of the workspace")
    .option("--json", "print JSON")
    .action((ref: string, options: { confirm: string; json?: true }) =>
      withStore(async (store) => {
        const workspace = await find(store, ref);
        if (options.confirm !== workspace.name)
          throw new Fault("VALIDATION_ERROR", `--confirm must be the workspace's exact name, ${workspace.name}.`);
        await deleteWorkspace(store.db, workspace.id);
        report(options, workspace, `Deleted workspace ${workspace.id}, ${workspace.name}.`);
      }),
    );
}

const NAME = "The name of a workspace";
