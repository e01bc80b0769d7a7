import { createKey } from "../../dist/auth/keys.js";
import { operatorCaller } from "../../dist/auth/operator.js";
import { createWorkspace } from "../../dist/auth/workspaces.js";
import { readConfig } from "../../dist/config/index.js";
import { createLogger } from "../../dist/core/logger.js";
import { createDatabase } from "../../dist/db/database.js";
import { keyOptionsOf } from "../../dist/store.js";

/**
 * New workspaces, each with a key and a conversation to write into. As `parley workspaces create` and `parley keys create`
 * make them, without starting 200 processes.
 */
export async function createWorkspaces(product, count) {
  const db = createDatabase({
    connection: { ...product.database, ssl: false },
    poolSize: 2,
    logger: createLogger("silent"),
    applicationName: "bench",
  });
  const options = keyOptionsOf(readConfig());
  const made = [];
  for (let i = 0; i < count; i++) {
    const { id } = await createWorkspace(db, `workspace ${i}`);
    const input = { name: "bench", rate_limit_tier: "unlimited" };
    const { key } = await db.transaction((tx) => createKey(tx, options, operatorCaller(id), input));
    const conversation = await product.call("POST", "/conversations", { subject: "bench" }, key);
    made.push({ id, key, path: `/api/v1/conversations/${conversation.id}/messages` });
  }
  await db.close();
  return made;
}

const CALLERS = 8;

/** Webhooks of `{ url, key }` and whatever else the API takes, in the workspaces of their keys. */
export async function createWebhooks(product, wanted) {
  let next = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < wanted.length) {
        const { key, ...fields } = wanted[next++];
        await product.call("POST", "/webhooks", { name: "hook", events: ["message.created"], ...fields }, key);
      }
    }),
  );
}
