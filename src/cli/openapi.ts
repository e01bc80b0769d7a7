import { Command, Option } from "commander";
import { loadApp } from "./load-app.ts";
import { printJson } from "./output.ts";

export function openapiCommand(): Command {
  return new Command("openapi")
    .description("Print the OpenAPI description, as served at /api/v1/openapi.json.")
    .addOption(
      new Option("--dashboard", "describe the dashboard's own API instead; it may change at any time").hideHelp(),
    )
    .action(async (options: { dashboard?: true }) => {
      const { describeDashboardApi, describeWholeApi } = await loadApp();
      printJson(options.dashboard ? describeDashboardApi() : describeWholeApi());
    });
}
