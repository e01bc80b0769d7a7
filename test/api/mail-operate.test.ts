import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteExpired } from "../../src/app/delete-expired.ts";
import { type Browser, setUp } from "../support/browser.ts";
import type { Any } from "../support/conversations.ts";
import { mailWords } from "../support/mail-words.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { until } from "../support/wait.ts";

let parley: TestParley;
let receiver: SmtpReceiver;
let owner: Browser;
let mailbox: Any;
const { connect, mail, stored } = mailWords(
  () => parley,
  () => mailbox,
);

beforeAll(async () => {
  receiver = await startSmtpReceiver();
  parley = await startParley({
    PARLEY_MAIL_PORTS: "1024-65535",
    PARLEY_MAIL_RETRY_SCHEDULE: "0.2",
    PARLEY_MAIL_TIMEOUT_SECONDS: "1",
  });
  owner = await setUp(parley);
  mailbox = await connect("support@shop.example", receiver.port, { inbound: { type: "http" } });
});
beforeEach(() => receiver.behave({}));
afterAll(async () => {
  await parley.close();
  await receiver.close();
});

describe("a test mail of a mailbox to itself", () => {
  const path = () => `/mailboxes/${mailbox.id}/test`;
  const reading = async () => (await owner.call("GET", path())).body.data;

  it("is sent, and seen when it comes in, in a conversation that is resolved", async () => {
    expect(await reading()).toBeNull();
    const begun = await owner.call("POST", path(), {});
    expect(begun.status, begun.text).toBe(202);
    expect(begun.body.data).toMatchObject({ state: "pending", error: null, seen_at: null, conversation_id: null });
    const [mail] = await receiver.waitFor(1);
    await until("it is sent", async () => (await reading()).state === "sent");
    expect(mail?.to).toEqual(["support@shop.example"]);
    const message = await stored(mail?.raw ?? "");
    expect(message.email).toMatchObject({ automatic: true, subject: "Test of the mailbox a" });
    const seen = await reading();
    expect(seen).toMatchObject({ state: "sent", conversation_id: message.conversation_id });
    expect(seen.seen_at).not.toBeNull();
    const conversation = await parley.call("GET", `/conversations/${message.conversation_id}`);
    expect(conversation.body.data).toMatchObject({ status: "resolved", waiting_since: null });
  });

  it("is seen although the server on its way has replaced its Message-ID", async () => {
    const before = receiver.accepted.length;
    await owner.call("POST", path(), {});
    const mail = (await receiver.waitFor(before + 1)).at(-1);
    expect((await reading()).seen_at).toBeNull();
    await stored((mail?.raw ?? "").replace(/^Message-ID: .*$/im, "Message-ID: <other@server.example>"));
    expect((await reading()).seen_at).not.toBeNull();
  });

  it("is removed a month after it has ended, as mail to visitors is, but for the last of a conversation", async () => {
    const { database, app } = parley;
    const message = await stored(mail());
    await parley.call("POST", `/conversations/${message.conversation_id}/messages`, { body: { body: "Soon." } });
    await until("nothing waits", async () => {
      const [row] = await database.query<Any>(
        "select count(*)::int as n from outgoing_mails where next_attempt_at > now()",
      );
      return row.n === 0;
    });
    await database.query(
      `insert into outgoing_mails (workspace_id, mailbox_id, raw_file_id, header_id, conversation_id)
       select workspace_id, mailbox_id, 1, 'visitor.' || n, ${message.conversation_id}
       from mailbox_states
       cross join generate_series(1, 3) as n
       where mailbox_id = ${mailbox.id}`,
    );
    const kept = async () =>
      (await database.query<Any>("select header_id, message_id from outgoing_mails order by id")).map(
        ({ header_id, message_id }) => (message_id === null ? header_id.replace(/^test\..*/, "test") : "reply"),
      );
    const before = await kept();
    await database.query("update outgoing_mails set updated_at = now() - interval '29 days'");
    await deleteExpired(app.store.db);
    expect(await kept()).toEqual(before);
    await database.query(
      "update outgoing_mails set updated_at = now() - interval '31 days', next_attempt_at = case when header_id = 'visitor.2' then now() + interval '1 day' end",
    );
    await deleteExpired(app.store.db);
    expect(await kept()).toEqual(["reply", "visitor.2", "visitor.3"]);
    await database.query("delete from outgoing_mails where header_id like 'visitor.%'");
  });

  it("says why it was refused, and is a 409 while the mailbox is paused", async () => {
    receiver.behave({ rcpt: () => 550 });
    await owner.call("POST", path(), {});
    await until("it has failed", async () => (await reading()).state === "failed");
    expect((await reading()).error).toContain("550");
    await parley.call("POST", `/mailboxes/${mailbox.id}/pause`);
    expect((await owner.call("POST", path(), {})).status).toBe(409);
    await parley.call("POST", `/mailboxes/${mailbox.id}/resume`);
  });
});

describe("the pictures that a mail names elsewhere", () => {
  const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(64, 1)]);
  const asked: { url: string; headers: IncomingHttpHeaders }[] = [];
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = request.url ?? "";
      asked.push({ url, headers: request.headers });
      if (url === "/moved") response.writeHead(302, { location: "/a.png?b=1&c=2" }).end();
      else if (url === "/private") response.writeHead(302, { location: "http://10.1.2.3/a.png" }).end();
      else if (url === "/circle") response.writeHead(302, { location: "/circle" }).end();
      else if (url === "/page") response.writeHead(200, { "content-type": "image/png" }).end("<script>1</script>");
      else if (url === "/svg") response.writeHead(200, { "content-type": "image/png" }).end("<svg xmlns='x'/>");
      else if (url === "/large") response.writeHead(200).end(Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]));
      else response.writeHead(200, { "content-type": "text/html", "set-cookie": "a=b" }).end(PNG);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const HTML = { "Content-Type": "text/html; charset=utf-8", "MIME-Version": "1.0" };
  const shown = async (html: string, query = "") => {
    const { id, conversation_id } = await stored(mail(HTML, html));
    const reply = await parley.call("GET", `/conversations/${conversation_id}/messages/${id}/email${query}`);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.data.html as string;
  };
  /** The links of the pictures of such a mail, as a browser reads them. */
  const linksOf = async (...paths: string[]) => {
    const html = await shown(paths.map((path) => `<img src="${origin}${path}">`).join(""), "?images=true");
    return [...html.matchAll(/src="([^"]*)"/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"));
  };

  it("are not loaded, whichever way it names them", async () => {
    const evil = "http://tracker.example/a.png";
    const html = await shown(`<html><head><link rel="stylesheet" href="${evil}"><base href="http://tracker.example/">
      <style>@import "${evil}"; body { background: url(${evil}) } @font-face { font-family: a; src: url(${evil}) }</style>
      <meta http-equiv="refresh" content="0;url=${evil}"></head><body background="${evil}">
      <img src="${evil}" srcset="${evil} 2x" lowsrc="${evil}" dynsrc="${evil}" style="background:url(${evil})">
      <img src="//tracker.example/b.png"><img src="a.png"><IMG SRC=" h&#116;tp://tracker.example/c.png">
      <picture><source srcset="${evil}"><img src="${evil}"></picture><input type="image" src="${evil}">
      <video poster="${evil}" src="${evil}"><source src="${evil}"></video><audio src="${evil}"></audio>
      <table background="${evil}"><td background="${evil}" style="background-image:u\\72l(${evil})">cell</td></table>
      <object data="${evil}"></object><embed src="${evil}"><iframe src="${evil}"></iframe>
      <svg><image href="${evil}"/><use xlink:href="${evil}"/></svg><math href="${evil}">x</math>
      <div style="list-style-image:url(${evil});border-image:url('${evil}');cursor:url(${evil}),auto">text</div>
      <p style="content:url(${evil});filter:url(${evil}#a);mask:url(${evil});behavior:url(${evil})">end</p></body></html>`);
    expect(html).toContain("text");
    expect(html).toContain("cell");
    expect(html).not.toContain("tracker.example");
    expect(html).not.toMatch(/url\(|@import|<(link|base|meta|style|object|embed|iframe|svg|video|audio|input|source)/i);
  });

  it("are shown on request by signed links to a proxy, which sends neither cookies nor where they are read", async () => {
    const [link = "", moved = ""] = await linksOf("/a.png?b=1&c=2", "/moved");
    expect(link.startsWith(`${parley.url}/mail-images?`)).toBe(true);
    asked.length = 0;
    for (const url of [link, moved]) {
      const response = await fetch(url, { headers: { cookie: "parley_session=1", referer: "http://inbox.example/" } });
      expect(response.status, await response.clone().text()).toBe(200);
      expect(response.headers.get("content-type")).toBe("image/png");
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true);
    }
    expect(asked.map(({ url }) => url)).toEqual(["/a.png?b=1&c=2", "/moved", "/a.png?b=1&c=2"]);
    for (const { headers } of asked) {
      expect(headers.cookie).toBeUndefined();
      expect(headers.referer).toBeUndefined();
    }
  });

  it("are refused where they are no picture, too large, in a circle or lead to a private address", async () => {
    for (const link of await linksOf("/page", "/svg", "/large", "/circle", "/private"))
      expect((await fetch(link)).status, link).toBe(404);
  });

  it("are fetched for nobody without a valid link", async () => {
    const [link = ""] = await linksOf("/a.png");
    asked.length = 0;
    const changed = new URL(link);
    changed.searchParams.set("url", `${origin}/other.png`);
    const late = new URL(link);
    late.searchParams.set("expires", String(Math.floor(Date.now() / 1_000) - 10));
    for (const url of [changed.href, late.href, `${parley.url}/mail-images`])
      expect((await fetch(url)).status, url).toBe(403);
    expect(asked).toEqual([]);
  });
});
