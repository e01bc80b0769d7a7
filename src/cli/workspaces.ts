import { Command } from "commander";
import { createWorkspace, listWorkspaces } from "../auth/workspaces.ts";
import { Fault } from "../core/errors.ts";
import { print, printJson, printTable } from "./output.ts";
import { withStore } from "./with-store.ts";

export function workspacesCommand(): Command {
  return new Command("workspaces")
    .description("Make and list workspaces. Each has its own keys, conversations and webhooks.")
    .addCommand(
      new Command("create")
        .argument("[name]", "what people call it")
        .option("--name <name>", "the same, as an option")
        .option("--json", "print JSON")
        .action((given: string | undefined, options: { name?: string; json?: true }) =>
          withStore(async ({ db }) => {
            const name = (given ?? options.name ?? "").trim();
            if (name === "") throw new Fault("VALIDATION_ERROR", "Give the workspace a name.");
            const workspace = await createWorkspace(db, name);
            if (options.json) printJson(workspace);
            else
              print(
                `Made workspace ${workspace.id}, ${workspace.name}. Its first key: parley keys create --workspace ${workspace.id} --name first`,
              );
          }),
        ),
    )
    .addCommand(
      new Command("list").option("--json", "print JSON").action((options: { json?: true }) =>
        withStore(async ({ db }) => {
          const workspaces = await listWorkspaces(db);
          if (options.json) printJson(workspaces);
          else
            printTable(
              ["ID", "NAME", "CREATED"],
              workspaces.map((item) => [item.id, item.name, item.created_at]),
            );
        }),
      ),
    );
}
