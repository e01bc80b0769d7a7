import { Command } from "commander";
import { createWorkspace, listWorkspaces } from "../auth/workspaces.ts";
import { print, printJson, printTable } from "./output.ts";
import { withStore } from "./with-store.ts";

export function workspacesCommand(): Command {
  return new Command("workspaces")
    .description("Make and list workspaces. Each has its own keys, conversations and webhooks.")
    .addCommand(
      new Command("create")
        .argument("<name>", "what people call it")
        .option("--json", "print JSON")
        .action((name: string, options: { json?: true }) =>
          withStore(async ({ db }) => {
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
