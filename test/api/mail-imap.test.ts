import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Dovecot, dovecotProgram, startDovecot, withDovecot } from "../support/dovecot.ts";
import { startMailServer } from "../support/mail-server.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let dovecot: Dovecot;
let tokens: TokenServer;
let counter = 0;

interface TokenServer {
  url: string;
  /** What it was asked with, in order. */
  seen: string[];
  close(): void;
}

/** Gives an access token for the newest refresh token only, and replaces it each time. */
async function startTokenServer(): Promise<TokenServer> {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://a");
    const send = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/tokeninfo") {
      const token = url.searchParams.get("access_token") ?? "";
      return void (token.startsWith("access-") ? send(200, { email: "oauth", active: true }) : send(401, {}));
    }
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const given = new URLSearchParams(text).get("refresh_token") ?? "";
      seen.push(given);
      if (given !== `refresh-${seen.length}`) return void send(400, { error: "invalid_grant" });
      send(200, {
        access_token: `access-${seen.length}`,
        refresh_token: `refresh-${seen.length + 1}`,
        expires_in: 3600,
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, close: () => server.close() };
}

beforeAll(async () => {
  if (!dovecotProgram) return;
  tokens = await startTokenServer();
  dovecot = await startDovecot({ tokenInfoUrl: `${tokens.url}/tokeninfo?access_token=` });
  // Nobody responds there: what DNS says is not what these tests are about.
  parley = await startParley({ PARLEY_MAIL_PORTS: "1-65535", PARLEY_DNS_SERVERS: "127.0.0.1:1" });
});
afterAll(async () => {
  if (!dovecotProgram) return;
  await parley.close();
  await dovecot.close();
  tokens.close();
});

const inboundOf = (user: string, more: object = {}) => ({
  type: "imap",
  host: "127.0.0.1",
  port: dovecot.port,
  security: "none",
  user,
  password: dovecot.password,
  ...more,
});

async function connect(user: string, more: object = {}): Promise<number> {
  const body = {
    name: user,
    address: `${user}@shop.example`,
    inbound: inboundOf(user, more),
    outbound: { host: "127.0.0.1", port: 25, security: "none" },
  };
  const reply = await parley.call("POST", "/mailboxes", { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

const mail = (text: string, headers: string[] = []): string =>
  [
    "From: Ada <ada@example.com>",
    `Subject: ${text}`,
    `Message-ID: <i${++counter}@example.com>`,
    ...headers,
    "",
    text,
    "",
  ].join("\r\n");

/** With a file of two megabytes. */
const largeMail = (text: string, headers: string[] = []): string =>
  [
    mail("", [...headers, 'Content-Type: multipart/mixed; boundary="part"']),
    "--part",
    "",
    text,
    "--part",
    "Content-Type: application/octet-stream",
    "Content-Transfer-Encoding: base64",
    "",
    `${"A".repeat(76)}\r\n`.repeat(27_000),
    "--part--",
    "",
  ].join("\r\n");

const statusOf = async (id: number) => (await parley.call("GET", `/mailboxes/${id}`)).body.data.status;
const connected = (id: number) =>
  until("the mailbox is connected", async () => (await statusOf(id)).state === "ok", { timeoutMs: 45_000 });

async function bodiesOf(mailboxId: number): Promise<string[]> {
  const rows = await parley.database.query<{ body: string }>(
    `select message.body
     from mails_in
     join messages message on message.workspace_id = mails_in.workspace_id and message.id = mails_in.message_id
     where mails_in.mailbox_id = $1
     order by message.id`,
    [mailboxId],
  );
  return rows.map(({ body }) => body);
}

const arrived = (mailboxId: number, bodies: string[], timeoutMs = 45_000) =>
  until(
    `these arrived: ${bodies.join(", ")}`,
    async () => {
      const found = await bodiesOf(mailboxId);
      return bodies.every((body) => found.includes(body));
    },
    { timeoutMs },
  );

describe.skipIf(!dovecotProgram)(withDovecot("a mailbox that is read by IMAP"), () => {
  it("stores what arrives from now on, within seconds, and changes nothing on the server", async () => {
    dovecot.deliver("first", mail("older"));
    // The server's clock counts in seconds: what is older than the mailbox was delivered in an earlier one.
    const second = Math.floor(Date.now() / 1_000);
    await until("the next second begins", () => Date.now() / 1_000 > second + 1);
    const id = await connect("first");
    await connected(id);
    dovecot.deliver("first", mail("one"));
    await arrived(id, ["one"]);
    const before = performance.now();
    // An interrupted delivery leaves a mail without any bytes. It is shown, and stops nothing.
    dovecot.deliver("first", "");
    dovecot.deliver("first", mail("two"));
    await arrived(id, ["two"]);
    expect(performance.now() - before).toBeLessThan(atMost(5_000));
    expect(await bodiesOf(id)).toEqual(["one", "", "two"]);
    const files = dovecot.mailsOf("first");
    expect(files).toHaveLength(4);
    expect(files.filter((file) => /:2,.*S/.test(file))).toEqual([]);
    expect(await statusOf(id)).toMatchObject({ state: "ok", error: null, import: null });
    expect((await statusOf(id)).last_synced_at).not.toBeNull();
  });

  it("imports older mail since a date, in its conversations, and continues with new mail", async () => {
    for (let index = 0; index < 110; index++) dovecot.deliver("older", mail(`old ${index}`));
    dovecot.deliver("older", mail("a reply", [`In-Reply-To: <i${counter}@example.com>`]));
    const id = await connect("older", { since: new Date(Date.now() - 86_400_000).toISOString() });
    await arrived(id, ["old 0", "old 109", "a reply"], 30_000);
    dovecot.deliver("older", mail("new"));
    await arrived(id, ["new"]);
    expect(await bodiesOf(id)).toHaveLength(112);
    const threads = await parley.database.query<{ conversations: number }>(
      `select count(distinct message.conversation_id)::int as conversations
       from mails_in
       join messages message on message.workspace_id = mails_in.workspace_id and message.id = mails_in.message_id
       where mails_in.mailbox_id = $1`,
      [id],
    );
    expect(threads[0]?.conversations).toBe(111);
  });

  it("imports what is recent enough from all parts of a folder that is listed in parts", async () => {
    const long = new Date(Date.now() - 10 * 86_400_000);
    const recent: string[] = [];
    for (let index = 0; index < 4_100; index++) {
      if (index % 40 === 0) recent.push(`recent ${index}`);
      const text = index % 40 === 0 ? `recent ${index}` : "past";
      dovecot.deliver("full", mail(text), "INBOX", index % 40 === 0 ? new Date() : long);
    }
    const id = await connect("full", { since: new Date(Date.now() - 86_400_000).toISOString() });
    await arrived(id, recent);
    dovecot.deliver("full", mail("new"));
    await arrived(id, ["new"]);
    expect((await bodiesOf(id)).sort()).toEqual(["new", ...recent].sort());
  });

  it("stores nothing twice after the numbers of the folder have changed, deleted mail included", async () => {
    const id = await connect("renumbered");
    await connected(id);
    dovecot.deliver("renumbered", mail("kept"));
    const second = dovecot.deliver("renumbered", mail("deleted"));
    await arrived(id, ["kept", "deleted"]);
    const [gone] = await parley.database.query<{ conversation_id: string }>(
      "select conversation_id from messages where body = 'deleted'",
    );
    expect((await parley.call("DELETE", `/conversations/${gone?.conversation_id}`)).status).toBe(200);
    await dovecot.stop();
    // What comes next gets the number that this one had.
    dovecot.removeMail("renumbered", second);
    dovecot.deliver("renumbered", mail("meanwhile"));
    await dovecot.renumber("renumbered");
    await arrived(id, ["meanwhile"], 30_000);
    dovecot.deliver("renumbered", mail("later"));
    await arrived(id, ["later"]);
    await until("the import ends", async () => (await statusOf(id)).import === null);
    expect(await bodiesOf(id)).toEqual(["kept", "meanwhile", "later"]);
  });

  it("stores small mail while a large one is being stored, and after it what continues its conversation", async () => {
    const id = await connect("large");
    await connected(id);
    dovecot.deliver("large", mail("begun"));
    await arrived(id, ["begun"]);
    const begun = `<i${counter}@example.com>`;
    const holder = new pg.Client({ connectionString: parley.database.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query(
      `select 1
       from conversations
       where id = (select m.conversation_id from mails_in join messages m on m.id = message_id where mailbox_id = $1)
       for update`,
      [id],
    );
    try {
      dovecot.deliver("large", largeMail("large", [`In-Reply-To: ${begun}`]));
      const large = `<i${counter}@example.com>`;
      await until("it is being stored", async () => {
        const waiting =
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
        return (await parley.database.query(waiting)).length > 0;
      });
      dovecot.deliver("large", mail("a reply to it", [`In-Reply-To: ${large}`]));
      dovecot.deliver("large", mail("another one", [`In-Reply-To: ${begun}`]));
      dovecot.deliver("large", mail("new"));
      await arrived(id, ["new"], 8_000);
      expect(await bodiesOf(id)).toEqual(["begun", "new"]);
      const cursor = "select uid from mailbox_states where mailbox_id = $1";
      expect(await parley.database.query(cursor, [id])).toEqual([{ uid: "1" }]);
      await holder.query("commit");
      await arrived(id, ["large", "a reply to it", "another one"]);
      expect(await bodiesOf(id)).toEqual(["begun", "new", "large", "a reply to it", "another one"]);
      expect(await parley.database.query(cursor, [id])).toEqual([{ uid: "5" }]);
      const [thread] = await parley.database.query<{ last_seq: number }>(
        "select max(last_seq)::int as last_seq from conversations where mailbox_id = $1",
        [id],
      );
      expect(thread?.last_seq).toBe(4);
    } finally {
      await holder.end();
    }
  });

  it("marks stored mail as seen, or moves it, where the settings say so", async () => {
    const seen = await connect("marked", { after_import: "seen" });
    const moved = await connect("moved", { after_import: { move_to: "Done" } });
    await connected(seen);
    await connected(moved);
    dovecot.deliver("marked", mail("to be marked"));
    dovecot.deliver("moved", mail("to be moved"));
    await arrived(seen, ["to be marked"]);
    await arrived(moved, ["to be moved"]);
    await until("it is marked", () => dovecot.mailsOf("marked").every((file) => /:2,.*S/.test(file)));
    await until("it is moved", () => dovecot.mailsOf("moved", "Done").length === 1);
    await until("it has left the folder", () => dovecot.mailsOf("moved").length === 0);
  });

  it("fetches nothing while it is paused, and everything afterwards", async () => {
    const id = await connect("paused");
    await connected(id);
    await parley.call("POST", `/mailboxes/${id}/pause`);
    await until("nobody reads it", async () => {
      const [row] = await parley.database.query<{ lease_owner: string | null }>(
        "select lease_owner from mailbox_states where mailbox_id = $1",
        [id],
      );
      return row?.lease_owner === null;
    });
    dovecot.deliver("paused", mail("while paused"));
    expect(await statusOf(id)).toMatchObject({ state: "paused" });
    expect(await bodiesOf(id)).toEqual([]);
    await parley.call("POST", `/mailboxes/${id}/resume`);
    await arrived(id, ["while paused"]);
  });

  it("says in plain words what is wrong, and continues when it has been changed", async () => {
    const wrong = await connect("wrong", { password: "not this one" });
    const folder = await connect("folder", { folder: "Missing" });
    const refused = await connect("refused", { port: 1 });
    const failed = (id: number) => until("it fails", async () => (await statusOf(id)).error);
    expect(await failed(wrong)).toMatch(/^127\.0\.0\.1 refused the user name or the password/);
    expect(await failed(folder)).toMatch(/^The folder Missing cannot be opened/);
    expect(await failed(refused)).toBe("127.0.0.1 refuses connections on port 1.");
    expect((await statusOf(wrong)).state).toBe("error");
    await parley.call("PATCH", `/mailboxes/${wrong}`, { body: { inbound: inboundOf("wrong") } });
    await connected(wrong);
  });

  it("signs in by OAuth, and stores the refresh token that the provider replaces", async () => {
    const oauth = { token_url: `${tokens.url}/token`, client_id: "a", client_secret: "b", refresh_token: "refresh-1" };
    const id = await connect("oauth", { password: undefined, oauth });
    await connected(id);
    dovecot.deliver("oauth", mail("by token"));
    await arrived(id, ["by token"]);
    await dovecot.stop();
    await dovecot.start();
    await until("it signs in again", () => tokens.seen.length >= 2, { timeoutMs: 45_000 });
    await connected(id);
    expect(tokens.seen.slice(0, 2)).toEqual(["refresh-1", "refresh-2"]);
  });
});

describe.skipIf(!dovecotProgram)(withDovecot("the check of a mailbox"), () => {
  it("signs in both ways and says how far it got, up to ten per minute", async () => {
    const server = await startMailServer({ account: { user: "checked", password: "right" } });
    const outbound = { host: "127.0.0.1", port: server.port, security: "none", user: "checked", password: "right" };
    const create = (name: string, body: object) =>
      parley.call("POST", "/mailboxes", { body: { name, address: `${name}@shop.example`, ...body } });
    const good = (await create("checked", { inbound: inboundOf("checked"), outbound })).body.data;
    const first = await parley.call("POST", `/mailboxes/${good.id}/check`);
    expect(first.status, first.text).toBe(200);
    expect(first.body.data).toMatchObject({
      inbound: { ok: true, error: null, steps: ["found", "connected", "signed_in", "opened"] },
      outbound: { ok: true, error: null, steps: ["found", "connected", "signed_in"] },
      dns: { spf: { ok: false, found: null }, dkim: { ok: true }, dmarc: { ok: false }, mx: { ok: false } },
    });
    expect(server.mails).toEqual([]);
    const wrong = await create("checked-wrong", {
      inbound: inboundOf("checked", { password: "wrong" }),
      outbound: { ...outbound, password: "wrong" },
    });
    const second = (await parley.call("POST", `/mailboxes/${wrong.body.data.id}/check`)).body.data;
    expect(second.inbound).toMatchObject({ ok: false, steps: ["found", "connected"] });
    expect(second.outbound).toMatchObject({ ok: false, steps: ["found", "connected"] });
    expect(second.outbound.error).toMatch(/^127\.0\.0\.1 said: 535/);
    const statuses: number[] = [];
    for (let index = 0; index < 11; index++)
      statuses.push((await parley.call("POST", `/mailboxes/${good.id}/check`)).status);
    expect(statuses).toContain(429);
    await server.close();
  });
});

describe.skipIf(!dovecotProgram)(withDovecot("a reader of a mailbox"), () => {
  it("stores nothing once another process owns the mailbox", async () => {
    const id = await connect("shared");
    const other = await startParley({ PARLEY_MAIL_PORTS: "1-65535" }, parley.database);
    try {
      await connected(id);
      dovecot.deliver("shared", mail("before"));
      await arrived(id, ["before"]);
      // As if it had been suspended: the lease is another one's, and it does not know.
      const [lease] = await parley.database.query<{ lease_until: Date }>(
        `update mailbox_states
         set lease_owner = gen_random_uuid(), lease_until = now() + interval '4 seconds'
         where mailbox_id = $1
         returning lease_until`,
        [id],
      );
      dovecot.deliver("shared", mail("after the change"));
      await arrived(id, ["after the change"], 30_000);
      const [stored] = await parley.database.query<{ count: number; received_at: Date }>(
        `select count(*) over ()::int as count, received_at
         from mails_in
         where mailbox_id = $1
         order by received_at desc`,
        [id],
      );
      expect(stored?.count).toBe(2);
      expect(stored?.received_at.getTime()).toBeGreaterThan(lease?.lease_until.getTime() ?? Number.POSITIVE_INFINITY);
    } finally {
      await other.close();
    }
  });
});
