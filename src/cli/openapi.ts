import { Command } from "commander";
import { describeWholeApi } from "../app.ts";
import { printJson } from "./output.ts";

export function openapiCommand(): Command {
  return new Command("openapi")
    .description("Print the OpenAPI description, as served at /api/v1/openapi.json.")
    .action(() => printJson(describeWholeApi()));
}
