import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/core/logger.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../src/db/embedded/index.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type Receiver, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";

// The oldest PostgreSQL that is supported; the rest of the suite runs on the embedded one. Debian's is the system's here.
const isThere = existsSync("/usr/lib/postgresql/15/bin/postgres");

describe.skipIf(!isThere)(
  `on PostgreSQL 15${isThere ? "" : " (this machine has none in /usr/lib/postgresql/15)"}`,
  () => {
    let directory: string;
    let server: EmbeddedDatabase;
    let parley: TestParley;
    let receiver: Receiver;

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), "parley-pg15-"));
      chmodSync(directory, 0o755);
      server = await startEmbedded({
        dataDir: directory,
        mode: "own",
        logger: createLogger("warn"),
        binaries: "system",
      });
      const { host, user, database } = server.connection;
      const url = `postgresql:///${database}?host=${encodeURIComponent(host)}&user=${user}`;
      const drop = async () => {};
      parley = await startParley(
        { PARLEY_RETRY_SCHEDULE: "0.1" },
        { name: database, url, drop, query: async () => [] },
      );
      receiver = await startReceiver();
    });
    afterAll(async () => {
      await parley.close();
      await receiver.close();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    });

    it("migrates, writes, delivers, retries, logs and lists", async () => {
      expect(server.version).toMatch(/^15\./);
      let calls = 0;
      receiver.behave((response) => response.writeHead(++calls === 1 ? 500 : 200).end());
      const webhook = (
        await parley.call("POST", "/webhooks", { body: { name: "hook", url: receiver.url(), events: ["message.*"] } })
      ).body.data;
      const reply = await parley.call("POST", "/conversations", {
        body: { subject: "old", message: { body: "hello" } },
      });
      expect(reply.status).toBe(201);
      for (const arrival of await receiver.waitFor(2)) verify(arrival, webhook.secret);
      const logs = await until("both attempts are logged", async () => {
        const { body } = await parley.call("GET", `/webhooks/${webhook.id}/logs`);
        return body.data.length === 2 ? body : null;
      });
      expect(logs.meta.pagination.total).toBe(2);
      const { body: events } = await parley.call("GET", "/events");
      expect(events.data.map((event: { type: string }) => event.type)).toContain("message.created");
      const missed = await parley.call("POST", `/webhooks/${webhook.id}/recover`, {
        body: { since: "2020-01-01", dry_run: true },
      });
      expect(missed.body.data.events).toBe(0);
      expect((await parley.call("GET", "/api-keys?search=boot")).body.data).toHaveLength(1);
    });
  },
);
