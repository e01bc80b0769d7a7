import { generateKeyPairSync } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { join, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ PARLEY_MAIL_DOMAINS: "own.example", PARLEY_MAIL_PORTS: "1143,5000-5001" });
});
afterAll(() => parley.close());

const PASSWORD = "a-password-that-is-never-shown";
const IMAP = { type: "imap", host: "127.0.0.1", port: 1143, security: "none", user: "ada", password: PASSWORD };
const SMTP = { host: "127.0.0.1", port: 5000, security: "none", user: "ada", password: PASSWORD };
let counter = 0;
const nextAddress = (domain = "mail.example") => `box${++counter}@${domain}`;

const create = (body: object) =>
  parley.call("POST", "/mailboxes", { body: { name: "Support", outbound: SMTP, ...body } });
const created = async (body: object = {}) => {
  const reply = await create({ address: nextAddress(), ...body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
};
const patch = (id: number, body: object, headers = {}) => parley.call("PATCH", `/mailboxes/${id}`, { body, headers });
const detailsOf = (reply: { status: number; body: { error: { details: Record<string, string[]> } } }) => {
  expect(reply.status, JSON.stringify(reply.body)).toBe(422);
  return reply.body.error.details;
};

describe("a mailbox", () => {
  it("shows every setting but the secrets, with the defaults", async () => {
    const reply = await create({ address: "Support@Mail.example", inbound: { ...IMAP, since: "2026-01-01" } });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.text).not.toContain(PASSWORD);
    expect(reply.body.data).toMatchObject({
      name: "Support",
      address: "Support@Mail.example",
      from_name: null,
      inbound: {
        type: "imap",
        host: "127.0.0.1",
        port: 1143,
        security: "none",
        user: "ada",
        folder: "INBOX",
        since: "2026-01-01T00:00:00+00:00",
        after_import: null,
      },
      outbound: { host: "127.0.0.1", port: 5000, security: "none", user: "ada" },
      dkim: null,
      authserv_id: null,
      signature: "",
      own_lists: [],
      status: { error: null, last_synced_at: null, last_message_at: null, unseen_on_server: null },
    });
    const rows = await parley.database.query("select inbound_sealed, outbound_sealed from mailboxes");
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });

  it("is found by id and uuid, listed, and unknown to another workspace", async () => {
    const { id, uuid } = await created();
    for (const ref of [id, uuid]) expect((await parley.call("GET", `/mailboxes/${ref}`)).body.data.id).toBe(id);
    const list = await parley.call("GET", "/mailboxes?limit=1");
    expect(list.body.data[0].id).toBe(id);
    expect(list.body.meta.has_more).toBe(true);
    const other = await parley.createWorkspace();
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/pause"],
      ["POST", "/resume"],
    ] as const) {
      const reply = await parley.call(method, `/mailboxes/${id}${path}`, { key: other.key });
      expect(reply.status, `${method} ${path}`).toBe(404);
    }
  });

  it("has an address that is unique in the workspace, in any case", async () => {
    const { address } = await created();
    expect((await create({ address: address.toUpperCase() })).status).toBe(409);
  });

  it("that uses the own receiver or the shared server has an address that is unique in the installation", async () => {
    const other = await parley.createWorkspace();
    const smtp = { name: "a", address: nextAddress("own.example"), inbound: { type: "smtp" }, outbound: SMTP };
    expect((await create(smtp)).status).toBe(201);
    expect((await parley.call("POST", "/mailboxes", { key: other.key, body: smtp })).status).toBe(409);
    const shared = { name: "a", address: nextAddress("own.example"), outbound: null };
    expect((await create(shared)).status).toBe(201);
    expect((await parley.call("POST", "/mailboxes", { key: other.key, body: shared })).status).toBe(409);
  });

  it("is refused with a sentence on each wrong field", async () => {
    const reply = await parley.call("POST", "/mailboxes", {
      body: {
        name: "",
        address: "nobody",
        inbound: { type: "imap", host: "10.0.0.1", port: 22, security: "ssl" },
        outbound: { host: "mail.example/x", port: 80 },
        dkim: { domain: "mail.example", selector: "s1", private_key: "nonsense" },
        own_lists: ["<list.example>"],
        signature: "x".repeat(4_097),
      },
    });
    const details = detailsOf(reply);
    expect(Object.keys(details).sort()).toEqual(
      ["address", "dkim", "inbound", "name", "outbound", "own_lists", "signature"].sort(),
    );
    expect(details.inbound).toContain("inbound.security must be one of: tls, starttls, none.");
    expect(details.outbound).toEqual([
      "outbound.host must be the name or address of a server.",
      "outbound.port must be one of 24, 25, 110, 143, 465, 587, 993, 2525, or one of PARLEY_MAIL_PORTS.",
    ]);
  });

  it("is refused where its host is private, its port is not of mail or its password is missing", async () => {
    const inbound = { ...IMAP, host: "10.0.0.1", port: 22, password: undefined };
    const details = detailsOf(await create({ address: nextAddress(), inbound }));
    expect(details.inbound).toEqual([
      "inbound must have a password or oauth; both are asked for again when host or user changes.",
      "inbound.host must not be or point to a private or reserved address.",
      "inbound.port must be one of 24, 25, 110, 143, 465, 587, 993, 2525, or one of PARLEY_MAIL_PORTS.",
    ]);
  });

  it("of the own receiver or the shared server needs a domain of the operator", async () => {
    const address = nextAddress("foreign.example");
    expect(detailsOf(await create({ address, inbound: { type: "smtp" } })).inbound).toHaveLength(1);
    expect(detailsOf(await create({ address, outbound: null })).outbound).toHaveLength(1);
    expect(detailsOf(await create({ address, inbound: { type: "http", host: "a.example" } })).inbound).toEqual([
      "inbound.host is only for type imap.",
    ]);
  });

  it("keeps a secret that a PATCH leaves out only for the same host and user", async () => {
    const { id } = await created({ inbound: IMAP });
    const { password: _, ...without } = IMAP;
    const renamed = await patch(id, { inbound: { ...without, folder: "Support" } });
    expect(renamed.status, renamed.text).toBe(200);
    expect(renamed.body.data.inbound.folder).toBe("Support");
    for (const change of [{ host: "127.0.0.2" }, { user: "eve" }])
      expect(detailsOf(await patch(id, { inbound: { ...without, ...change } })).inbound).toHaveLength(1);
  });

  it("is cleared by null, and an audit entry names what changed without its secrets", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" });
    const { id } = await created({
      inbound: IMAP,
      from_name: "The shop",
      signature: "Yours",
      own_lists: ["team.example"],
      authserv_id: "mx.example",
      dkim: { domain: "Mail.example", selector: "s1", private_key: pem },
    });
    const cleared = { inbound: null, from_name: null, signature: null, own_lists: null, authserv_id: null, dkim: null };
    const reply = await patch(id, cleared);
    expect(reply.body.data).toMatchObject({ ...cleared, signature: "", own_lists: [] });
    expect(detailsOf(await patch(id, { name: null, address: null }))).toEqual({
      name: ["name must be a string."],
      address: ["address must be a string."],
    });
    const log = await parley.call("GET", `/audit-logs?resource_type=mailbox&resource_id=${id}`);
    expect(log.body.data.map(({ action }: { action: string }) => action)).toEqual([
      "mailbox.updated",
      "mailbox.created",
    ]);
    expect(log.text).not.toContain(PASSWORD);
    expect(log.text).not.toContain("PRIVATE KEY");
  });

  it("keeps refresh tokens and client secrets to itself", async () => {
    const oauth = {
      token_url: "https://127.0.0.1:8443/token",
      client_id: "parley",
      client_secret: "the-client-secret",
      refresh_token: "the-refresh-token",
    };
    const { password: _, ...account } = IMAP;
    const reply = await create({ address: nextAddress(), inbound: { ...account, oauth } });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.text).not.toMatch(/the-client-secret|the-refresh-token/);
    const { token_url, client_id } = oauth;
    expect(reply.body.data.inbound.oauth).toEqual({ token_url, client_id, scope: null });
    const both = await create({ address: nextAddress(), inbound: { ...IMAP, oauth } });
    expect(detailsOf(both).inbound).toEqual(["inbound must have either password or oauth, not both."]);
  });

  it("is updated only in the version that was read", async () => {
    const { id } = await created();
    const etag = (await parley.call("GET", `/mailboxes/${id}`)).headers.get("etag") ?? "";
    expect((await patch(id, { name: "Sales" }, { "if-match": etag })).status).toBe(200);
    expect((await patch(id, { name: "Other" }, { "if-match": etag })).status).toBe(412);
  });

  it("is paused, resumed and deleted, and its conversations stay", async () => {
    const { id } = await created();
    expect((await parley.call("POST", `/mailboxes/${id}/pause`)).body.data.status.state).toBe("paused");
    expect((await parley.call("POST", `/mailboxes/${id}/resume`)).body.data.status.state).toBe("ok");
    const conversation = (await parley.call("POST", "/conversations", { body: { subject: "a" } })).body.data;
    expect(conversation.mailbox_id).toBeNull();
    await parley.database.query("update conversations set mailbox_id = $1 where id = $2", [id, conversation.id]);
    expect((await parley.call("GET", `/conversations/${conversation.id}`)).body.data.mailbox_id).toBe(id);
    expect((await parley.call("DELETE", `/mailboxes/${id}`)).status).toBe(200);
    expect((await parley.call("GET", `/conversations/${conversation.id}`)).body.data.mailbox_id).toBeNull();
    expect((await parley.call("GET", `/mailboxes/${id}`)).status).toBe(404);
  });

  it("is not deleted while mail of it is being sent", async () => {
    const { id } = await created();
    await parley.database.query(
      `with mail as (
         insert into outgoing_mails (workspace_id, mailbox_id, raw_file_id, header_id)
         select workspace_id, id, 1, 'a@b' from mailboxes where id = $1 returning workspace_id, id)
       insert into outgoing_recipients (workspace_id, mail_id, position, address, kind)
       select workspace_id, id, 0, 'ada@example.com', 'to' from mail`,
      [id],
    );
    expect((await parley.call("DELETE", `/mailboxes/${id}`)).status).toBe(409);
    await parley.database.query("update outgoing_recipients set state = 'sent'");
    expect((await parley.call("DELETE", `/mailboxes/${id}`)).status).toBe(200);
  });
});

describe("without domains of the operator", () => {
  it("only the mailboxes of one workspace use the mail server of the installation", async () => {
    const single = await startParley();
    try {
      const body = { name: "a", address: "a@any.example" };
      expect((await single.call("POST", "/mailboxes", { body })).status).toBe(201);
      const other = await single.createWorkspace();
      const reply = await single.call("POST", "/mailboxes", {
        key: other.key,
        body: { ...body, address: "b@any.example" },
      });
      expect(detailsOf(reply).outbound).toHaveLength(1);
      const own = { ...body, address: "b@any.example", outbound: { ...SMTP, port: 25 } };
      expect((await single.call("POST", "/mailboxes", { key: other.key, body: own })).status).toBe(201);
    } finally {
      await single.close();
    }
  });
});

it("an agent begins a conversation by mail from an address of the workspace, without seeing its settings", async () => {
  const owner = await setUp(parley);
  const agent = await join(parley, owner, "agent", "agnes@example.com");
  const { id, address } = await created({ name: "A first one" });
  const { body, text } = await agent.call("GET", "/sending-addresses");
  expect(body.data[0]).toEqual({ id, name: "A first one", address, from_name: null });
  expect(text).not.toContain("outbound");
  expect((await agent.call("GET", "//api/v1/mailboxes")).status).toBe(403);
  const conversation = { mailbox_id: id, contact: { email: "nora@example.com" }, message: { body: "Hello" } };
  const begun = await agent.call("POST", "//api/v1/conversations", conversation);
  expect(begun.status, begun.text).toBe(201);
  expect(begun.body.data).toMatchObject({ mailbox_id: id, channel: "email", assignee: { name: "agnes" } });
});

it("a conversation that begins while its mailbox is being deleted is refused with a 422", async () => {
  const { id } = await created();
  const holder = new pg.Client({ connectionString: parley.database.url });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("delete from mailboxes where id = $1", [id]);
    const body = { mailbox_id: id, contact: { email: "nora@example.com" }, message: { body: "Hello" } };
    const begun = parley.call("POST", "/conversations", { body });
    await until("it waits for the mailbox", async () => {
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      return (await parley.database.query(waiting)).length > 0;
    });
    await holder.query("commit");
    expect(detailsOf(await begun).mailbox_id).toEqual(["mailbox_id must be the id or uuid of a mailbox."]);
  } finally {
    await holder.end();
  }
});

it("a workspace has at most 250 mailboxes, a quarter of those that one process reads", {
  timeout: 60_000,
}, async () => {
  const { key } = await parley.createWorkspace();
  const create = () =>
    parley.call("POST", "/mailboxes", { key, body: { name: "One of many", address: nextAddress(), outbound: SMTP } });
  for (let left = 250; left > 0; left--) expect((await create()).status).toBe(201);
  expect(detailsOf(await create()).mailboxes).toHaveLength(1);
});
