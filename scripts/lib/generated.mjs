import { join } from "node:path";
import { renderClientTypes } from "./client-types.mjs";
import { renderCommonPasswords } from "./common-passwords.mjs";
import { renderOpenapiTypes } from "./openapi-types.mjs";
import { root, SetupError } from "./root.mjs";
import { run } from "./run.mjs";
import { renderSchema } from "./schema-dump.mjs";

/** Files in the tree that are made from the code. `npm run generate` writes them, `npm run check` compares them. */
export const GENERATED = [
  { file: "src/accounts/common-passwords.ts", render: renderCommonPasswords },
  { file: "openapi.json", render: () => parley(["openapi"]) },
  {
    file: "dashboard/src/api/dashboard-schema.ts",
    render: async () =>
      renderOpenapiTypes(JSON.parse(await parley(["openapi", "--dashboard"])), "the routes of /dashboard-api"),
  },
  { file: "docs/schema.sql", render: renderSchema },
  {
    file: "client/src/generated.ts",
    render: async () => renderClientTypes(JSON.parse(await parley(["openapi"]))),
  },
];

async function parley(args) {
  const result = await run(process.execPath, [join(root, "bin", "parley.mjs"), ...args]);
  if (result.code === 0 && result.stdout !== "") return result.stdout;
  throw new SetupError(`\`parley ${args.join(" ")}\` ended with ${result.code}:\n${result.output.trim()}`);
}
