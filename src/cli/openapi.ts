import { Command } from "commander";
import { loadApp } from "./load-app.ts";
import { printJson } from "./output.ts";

export function openapiCommand(): Command {
  return new Command("openapi")
    .description("Print the OpenAPI description, as served at /api/v1/openapi.json.")
    .action(async () => printJson((await loadApp()).describeWholeApi()));
}
