import { createServer } from "node:net";
import { expect, it } from "vitest";
import { hang, startReceiver, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture } from "../support/webhook-fixture.ts";

const WEBHOOKS = 60;
const MESSAGES = 5;

type Health = "well" | "hanging" | "refusing";

const healthOf = (index: number): Health => (index % 20 === 3 ? "hanging" : index % 20 === 13 ? "refusing" : "well");

/** A port at which nobody listens any more. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// How little the well ones feel, among ten thousand webhooks and next to a backlog, is measured by bench/isolation.mjs.
it("webhooks receive all in time while one in twenty destinations hangs and one in twenty refuses", {
  timeout: 300_000,
}, async () => {
  const fixture = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "0.1" });
  const receiver = await startReceiver({ host: "0.0.0.0" });
  try {
    const ports = { well: Number(new URL(receiver.url()).port), refusing: await deadPort() };
    const secrets = new Map<string, string>();
    for (let index = 0; index < WEBHOOKS; index++) {
      const health = healthOf(index);
      const url = `http://127.3.0.${index + 1}:${health === "refusing" ? ports.refusing : ports.well}/${health}/${index}`;
      const { secret } = await fixture.createWebhook({ url, timeout_seconds: 60, retry_count: 10 });
      if (health === "well") secrets.set(`/${health}/${index}`, secret);
      if (health === "hanging") receiver.behave(hang, `/${health}/${index}`);
    }
    for (let i = 0; i < MESSAGES; i++) await fixture.write(`m${i}`);
    const well = () => receiver.arrivals.filter(({ path }) => secrets.has(path));
    await until("the well ones have everything", () => well().length >= MESSAGES * secrets.size);
    const failed = () =>
      fixture.parley.database.query<{ error_message: string }>(
        "select distinct error_message from delivery_attempts where not delivered",
      );
    await until("the refusing ones were tried", async () => (await failed()).length > 0);
    // Refused is all there is: every hanging attempt is still in flight, so nobody can have waited for one.
    expect(await failed()).toEqual([{ error_message: expect.stringMatching(/refused/i) }]);
    const seen = new Set(well().map(({ path, headers }) => `${path} ${headers["webhook-id"]}`));
    expect(seen.size, "each once").toBe(well().length);
    for (const arrival of well()) verify(arrival, secrets.get(arrival.path) as string);
  } finally {
    await receiver.close();
    await fixture.close();
  }
});
