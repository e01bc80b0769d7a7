import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { operatorCaller } from "../auth/operator.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { sql } from "../db/database.ts";
import { patchWebhook } from "../webhooks/webhooks.ts";
import { WEBHOOKS } from "./content.ts";
import type { DemoWriter } from "./history.ts";

/**
 * An address of the loopback network that nothing else listens on: an operator who opens it to webhooks opens the demo's
 * receiver and nothing more. Where the system has only 127.0.0.1 (macOS), that is used.
 */
const ADDRESSES = ["127.0.77.1", "127.0.0.1"];

/** A destination that recovers is down for the first minute of every three. */
const CYCLE_MS = 180_000;
const DOWN_MS = 60_000;

type State = (typeof WEBHOOKS)[number]["state"];

interface DemoReceiver {
  url: string;
  /** What the server needs in PARLEY_ALLOWED_CIDRS for deliveries to get here. */
  cidr: string;
  close: () => Promise<void>;
}

/** Where live deliveries arrive: responds to each webhook as its state says. */
export async function startDemoReceiver(): Promise<DemoReceiver> {
  const startedAt = Date.now();
  const server = createServer((request, response) => {
    const state = request.url?.slice(1) as State;
    request.resume().on("end", () => {
      const isUp = state === "healthy" || (state === "recovering" && (Date.now() - startedAt) % CYCLE_MS > DOWN_MS);
      response.writeHead(isUp ? 200 : 503, { "content-type": "text/plain" });
      response.end(isUp ? "ok" : "Service Unavailable");
    });
  });
  await listen(server, ADDRESSES);
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}`,
    cidr: `${address}/32`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function listen(server: Server, [address, ...others]: readonly string[]): Promise<void> {
  try {
    server.listen(0, address);
    await once(server, "listening");
  } catch (error) {
    if (others.length === 0) throw error;
    await listen(server, others);
  }
}

interface RedirectOptions extends Pick<DemoWriter, "db" | "workspaceId" | "outbox"> {
  secretBox: SecretBox;
}

const demoWebhooks = sql("demo_webhooks", "select id, name from webhooks where workspace_id = $1 and name = any($2)");

/** Sends the demo's webhooks to the receiver; with null, back to where they pointed at first. */
export async function redirectWebhooks(
  { db, workspaceId, outbox, secretBox }: RedirectOptions,
  receiverUrl: string | null,
): Promise<void> {
  const names = WEBHOOKS.map(({ name }) => name);
  for (const { id, name } of await db.query<{ id: number; name: string }>(demoWebhooks, [workspaceId, names])) {
    const known = WEBHOOKS.find((webhook) => webhook.name === name);
    if (!known) continue;
    const url = receiverUrl === null ? known.url : `${receiverUrl}/${known.state}`;
    const change = { ref: { id }, patch: { url } };
    await db.transaction((tx) => patchWebhook(tx, { outbox, secretBox }, operatorCaller(workspaceId), change));
  }
}
