import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { respondWith, verify } from "../support/receiver.ts";
import { until } from "../support/wait.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await startWebhookFixture();
});
afterAll(() => fixture.close());

const read = async (webhook: { id: number }) => (await fixture.parley.call("GET", `/webhooks/${webhook.id}`)).body.data;
const failSince = (webhook: { id: number }, age: string) =>
  fixture.parley.database.query(
    "update delivery_lanes set failing_since = now() - $2::interval where webhook_id = $1",
    [webhook.id, age],
  );

describe("410 Gone", () => {
  it("disables the webhook, cancels what waits, and announces it with webhook.disabled", async () => {
    const gone = await fixture.createWebhook({ name: "gone", headers: { Authorization: "Bearer hidden" } });
    const witness = await fixture.createWebhook({ events: ["webhook.disabled"] });
    fixture.receiver.behave(respondWith(410), gone.path);
    await fixture.write();
    const [arrival] = await fixture.receiver.waitFor(1, witness.path);
    verify(arrival as never, witness.secret);
    const { health: _, ...disabled } = await read(gone);
    expect(disabled).toMatchObject({ is_active: false, disabled_reason: "The destination responded with 410 Gone." });
    expect(arrival?.event).toMatchObject({
      type: "webhook.disabled",
      data: { ...disabled, headers: [{ key: "Authorization", value: "[redacted]" }] },
      actor: { type: "system", id: null },
    });
    expect(arrival?.body).not.toMatch(/hidden|whsec_/);
    const [log] = await fixture.waitForLogs(gone, 1);
    expect(log).toMatchObject({ status: "failed", response_code: 410, attempt: 1, next_attempt_at: null });
    expect(await fixture.queued(gone)).toEqual([]);
    const { body } = await fixture.parley.call("GET", `/audit-logs?resource_type=webhook&resource_id=${gone.id}`);
    expect(body.data[0]).toMatchObject({ action: "webhook.disabled", actor: { type: "system" } });
  });

  it("sends nothing more, not even what was queued", async () => {
    const gone = await fixture.createWebhook();
    fixture.receiver.behave(respondWith(410), gone.path);
    await fixture.write();
    await until("it is disabled", async () => !(await read(gone)).is_active);
    const arrived = fixture.receiver.at(gone.path).length;
    const witness = await fixture.createWebhook();
    await fixture.write();
    await fixture.receiver.waitFor(1, witness.path);
    expect(fixture.receiver.at(gone.path)).toHaveLength(arrived);
    expect(await fixture.queued(gone)).toEqual([]);
  });
});

describe("410 Gone of a url that the webhook no longer has", () => {
  it("does not disable the webhook, and what was queued arrives at the new url", async () => {
    const webhook = await fixture.createWebhook();
    const [oldPath, newPath] = [webhook.path, `${webhook.path}-new`];
    let respond = () => {};
    fixture.receiver.behave((response, arrival) => {
      respond = () => respondWith(410)(response, arrival);
    }, oldPath);
    await fixture.write("to the old url");
    await fixture.receiver.waitFor(1, oldPath);
    const url = fixture.receiver.url(newPath);
    expect((await fixture.parley.call("PATCH", `/webhooks/${webhook.id}`, { body: { url } })).status).toBe(200);
    respond();
    await fixture.waitForLogs(webhook, 1);
    // Its 410 comes after that of the other one, and webhooks are disabled in turn.
    const gone = await fixture.createWebhook();
    fixture.receiver.behave(respondWith(410), gone.path);
    await fixture.write("to the new url");
    await until("another webhook is disabled", async () => !(await read(gone)).is_active);
    await fixture.receiver.waitFor(1, newPath);
    expect((await read(webhook)).is_active).toBe(true);
  });
});

describe("410 Gone while Parley stops", () => {
  it("disables the webhook before the stop is over", async () => {
    const own = await startWebhookFixture();
    const { database } = own.parley;
    try {
      const gone = await own.createWebhook();
      let respond = () => {};
      own.receiver.behave((response, arrival) => {
        respond = () => respondWith(410)(response, arrival);
      }, gone.path);
      await own.write();
      await own.receiver.waitFor(1, gone.path);
      const stopping = own.parley.app.close();
      await until("no more requests are accepted", async () => !(await fetch(own.parley.url).catch(() => null)));
      respond();
      await stopping;
      expect(await database.query("select is_active from webhooks")).toEqual([{ is_active: false }]);
    } finally {
      await own.close();
    }
  });
});

describe("410 Gone while the workspace moves to another cell", () => {
  it("is retried while writes are refused, and no longer once the workspace has moved", async () => {
    const own = await startWebhookFixture();
    const { parley, receiver } = own;
    try {
      const gone = await own.createWebhook();
      const [{ id }] = (await parley.database.query("select id from workspaces")) as [{ id: number }];
      let respond = () => {};
      receiver.behave((response, arrival) => {
        respond = () => respondWith(410)(response, arrival);
      }, gone.path);
      await own.write();
      await receiver.waitFor(1, gone.path);
      await parley.database.query(
        `create trigger moving before insert or update on webhooks
         for each row execute function refuse_while_moving(${id})`,
      );
      const moves = (state: string) =>
        parley.database.query("update workspaces set move_state = $1, moved_to_cell = 7", [state]);
      await moves("moving");
      respond();
      await until("it has failed", () => parley.logs().includes("disabling a webhook failed, retrying"));
      await moves("moved");
      await until("it is no longer retried", () => parley.logs().includes("because its workspace has moved"));
      await parley.app.close();
      expect(parley.logs()).not.toContain("disabling a webhook failed before the stop");
    } finally {
      await own.close();
    }
  });
});

describe("five days of nothing but failure", () => {
  it("disable the webhook and say so", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    const witness = await fixture.createWebhook({ events: ["webhook.*"] });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write();
    await fixture.waitForLogs(webhook, 1);
    expect((await read(webhook)).is_active).toBe(true);
    await failSince(webhook, "5 days 1 minute");
    await fixture.write();
    const [arrival] = await fixture.receiver.waitFor(1, witness.path);
    expect(arrival?.event.data).toMatchObject({
      id: webhook.id,
      is_active: false,
      disabled_reason: "Every delivery has failed for five days.",
    });
    expect((await read(webhook)).disabled_reason).toBe("Every delivery has failed for five days.");
  });

  it("are not yet over after four days and 23 hours", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write();
    await fixture.waitForLogs(webhook, 1);
    await failSince(webhook, "4 days 23 hours");
    await fixture.write();
    await fixture.waitForLogs(webhook, 2);
    expect((await read(webhook)).is_active).toBe(true);
  });

  it("are ended by one success", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    const outcomes = [500, 200, 500];
    fixture.receiver.behave(
      (response, arrival) => respondWith(outcomes.shift() ?? 500)(response, arrival),
      webhook.path,
    );
    await fixture.write();
    await fixture.waitForLogs(webhook, 1);
    await failSince(webhook, "10 days");
    await fixture.write();
    await fixture.waitForLogs(webhook, 2);
    await fixture.write();
    await fixture.waitForLogs(webhook, 3);
    expect((await read(webhook)).is_active).toBe(true);
  });

  it("start again when the webhook is enabled again", async () => {
    const webhook = await fixture.createWebhook({ retry_count: 0 });
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write();
    await fixture.waitForLogs(webhook, 1);
    await failSince(webhook, "10 days");
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/disable`);
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/enable`);
    await fixture.write();
    await fixture.waitForLogs(webhook, 2);
    expect((await read(webhook)).is_active).toBe(true);
  });
});

describe("a webhook that is disabled by hand", () => {
  it("is announced with its reason and the key as the actor", async () => {
    const webhook = await fixture.createWebhook();
    const witness = await fixture.createWebhook({ events: ["webhook.disabled"] });
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/disable`, { body: { reason: "moving house" } });
    const [arrival] = await fixture.receiver.waitFor(1, witness.path);
    expect(arrival?.event).toMatchObject({
      data: { id: webhook.id, disabled_reason: "moving house" },
      actor: { type: "api_key" },
    });
  });

  it("gets nothing, loses nothing: what it missed is recovered once it is enabled", async () => {
    const webhook = await fixture.createWebhook();
    const witness = await fixture.createWebhook();
    fixture.receiver.behave(respondWith(500), webhook.path);
    await fixture.write("was waiting");
    await fixture.waitForLogs(webhook, 1);
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/disable`);
    fixture.receiver.behave(respondWith(200), webhook.path);
    await fixture.write("while disabled");
    await fixture.receiver.waitFor(2, witness.path);
    expect(await fixture.queued(webhook)).toEqual([]);
    await fixture.parley.call("POST", `/webhooks/${webhook.id}/enable`);
    await fixture.write("afterwards");
    await until("the newest arrives", () =>
      fixture.receiver.at(webhook.path).some(({ event }) => event.data.body === "afterwards"),
    );
    expect(fixture.receiver.at(webhook.path).map(({ event }) => event.data.body)).not.toContain("while disabled");
    const reply = await fixture.parley.call("POST", `/webhooks/${webhook.id}/recover`, {
      body: { since: webhook.created_at },
    });
    expect(reply.body.data.events).toBe(2);
    await until("all has arrived", async () => {
      const { data } = await fixture.logs(webhook, "?status=success");
      return data.length === 3;
    });
    const delivered = fixture.receiver.at(webhook.path).map(({ event }) => event.data.body);
    for (const text of ["was waiting", "while disabled", "afterwards"]) expect(delivered).toContain(text);
  });
});
