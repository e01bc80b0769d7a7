import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startParley } from "../support/parley.ts";
import { type Receiver, startReceiver, verify } from "../support/receiver.ts";

const OLD = "the-old-secret-key-of-32-characters-or-more";
const NEW = "the-new-secret-key-of-32-characters-or-more";

let database: TestDatabase;
let receiver: Receiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
});
afterAll(async () => {
  await database.drop();
  await receiver.close();
});

describe("PARLEY_SECRET_KEY", () => {
  it("is changed by giving both once: afterwards the new one alone opens everything, and signatures stay the same", async () => {
    const first = await startParley({ PARLEY_SECRET_KEY: OLD }, database);
    const made = await first.call("POST", "/webhooks", {
      body: { name: "hook", url: receiver.url(), events: ["message.*"], headers: { "X-Team": "blue" } },
    });
    const { id, secret } = made.body.data;
    await first.close();

    const both = await startParley({ PARLEY_SECRET_KEY: `${NEW},${OLD}` }, database);
    expect((await both.call("GET", `/webhooks/${id}/secret`)).body.data.secret).toBe(secret);
    await both.close();

    const alone = await startParley({ PARLEY_SECRET_KEY: NEW }, database);
    expect((await alone.call("GET", `/webhooks/${id}/secret`)).body.data.secret).toBe(secret);
    expect((await alone.call("GET", "/webhooks")).body.data[0].headers).toEqual([{ key: "X-Team", value: "blue" }]);
    expect((await alone.call("POST", `/webhooks/${id}/test`)).body.data.success).toBe(true);
    for (const arrival of await receiver.waitFor(1)) verify(arrival, secret);
    await alone.close();
  });

  it("that cannot open what is sealed refuses the start, in words", async () => {
    await expect(startParley({ PARLEY_SECRET_KEY: OLD }, database)).rejects.toThrow(/sealed with another key/);
  });
});
