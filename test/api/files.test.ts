import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireFiles } from "../../src/files/files.ts";
import { type Browser, join, setUp } from "../support/browser.ts";
import { type Any, wordsOf } from "../support/conversations.ts";
import { type CallOptions, type Reply, startParley, type TestParley } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { until } from "../support/wait.ts";

const FILE_BYTES_MAX = 1_000_000;
const WORKSPACE_BYTES_MAX = 3_000_000;

let parley: TestParley;
let owner: Browser;
let agent: Browser;
beforeAll(async () => {
  parley = await startParley({
    PARLEY_FILE_BYTES_MAX: String(FILE_BYTES_MAX),
    PARLEY_FILE_BYTES_PER_WORKSPACE_MAX: String(WORKSPACE_BYTES_MAX),
  });
  owner = await setUp(parley);
  agent = await join(parley, owner, "agent", "agnes@example.com");
});
afterAll(() => parley.close());

const { made, got, patched, eventsOf, wrongFields } = wordsOf(() => parley);
const opened = async (): Promise<string> => `/conversations/${(await made("/conversations")).id}`;

const upload = (name: string, bytes: string | Buffer, type = "text/plain", options: CallOptions = {}): Promise<Reply> =>
  parley.call("POST", `/files?name=${encodeURIComponent(name)}`, {
    ...options,
    rawBody: bytes,
    headers: { "content-type": type, ...options.headers },
  });

async function uploaded(name = "note.txt", bytes: string | Buffer = "hello", type = "text/plain"): Promise<Any> {
  const reply = await upload(name, bytes, type);
  if (reply.status !== 201) throw new Error(`the upload received ${reply.status}: ${reply.text}`);
  return reply.body.data;
}

const filesStored = async (): Promise<number[]> =>
  (await parley.database.query<Any>("select id from files order by id")).map(({ id }) => Number(id));
const chunksOf = async (id: number): Promise<number> =>
  Number((await parley.database.query<Any>("select count(*) from file_chunks where file_id = $1", [id]))[0].count);

describe("an upload", () => {
  it("returns the record, and its url serves the same bytes without a key", async () => {
    const bytes = Buffer.alloc(700_000, "0123456789abcdef");
    const { status, body } = await upload("Übersicht 1.bin", bytes, "application/X-Thing; charset=x");
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Übersicht 1.bin",
      content_type: "application/x-thing",
      size_bytes: 700_000,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      url: expect.stringMatching(
        new RegExp(`^${parley.url}/files/${body.data.uuid}/%C3%9Cbersicht%201.bin\\?expires=\\d+&signature=[\\w-]+$`),
      ),
      expires_at: expect.stringMatching(/\+00:00$/),
    });
    const hoursLeft = (Date.parse(body.data.expires_at) - Date.now()) / 3_600_000;
    expect(hoursLeft).toBeGreaterThan(23.9);
    expect(hoursLeft).toBeLessThan(24.5);
    const response = await fetch(body.data.url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("700000");
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await got(`/files/${body.data.uuid}`)).data).toMatchObject({ id: body.data.id, sha256: body.data.sha256 });
  });

  it("accepts a form with one part, which has the name and the type", async () => {
    const form = new FormData();
    form.set("file", new Blob(["in a form"], { type: "text/csv" }), "Zahlen ü.csv");
    const headers = { authorization: `Bearer ${parley.key}` };
    const send = (path: string, body: FormData) =>
      fetch(`${parley.url}/api/v1${path}`, { method: "POST", headers, body });
    const { data } = (await (await send("/files", form)).json()) as Any;
    expect(data).toMatchObject({ name: "Zahlen ü.csv", content_type: "text/csv", size_bytes: 9 });
    const renamed = (await (await send("/files?name=other.csv", form)).json()) as Any;
    expect(renamed.data.name).toBe("other.csv");
    const before = await filesStored();
    form.append("file", new Blob(["a second one"]), "b.txt");
    for (const body of [form, new FormData()]) {
      const reply = await send("/files?name=a", body);
      expect(reply.status).toBe(422);
      expect(((await reply.json()) as Any).error.details).toEqual({
        body: [expect.stringMatching(/exactly one part/)],
      });
    }
    expect(await filesStored()).toEqual(before);
  });

  it("is parsed up to the second part of a form, however many there are", async () => {
    const parts = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`.repeat(18_000);
    const headers = { authorization: `Bearer ${parley.key}`, "content-type": "multipart/form-data; boundary=b" };
    const begunAt = process.cpuUsage();
    for (let left = 10; left > 0; left--) {
      const { status } = await fetch(`${parley.url}/api/v1/files`, { method: "POST", headers, body: `${parts}--b--` });
      expect(status).toBe(422);
    }
    expect(process.cpuUsage(begunAt).user / 1_000).toBeLessThan(atMost(400));
  });

  it("is refused without a name, with an unsafe name, without bytes, and compressed", async () => {
    const before = await filesStored();
    const wrong = async (path: string, rawBody: string) =>
      Object.keys((await parley.call("POST", path, { rawBody })).body.error.details);
    expect(await wrong("/files", "x")).toEqual(["name"]);
    for (const name of ["", " ", "..", "a/b", "a\\b", "a\u0007b", "invoice\u202Efdp.exe", "x".repeat(256)])
      expect(await wrong(`/files?name=${encodeURIComponent(name)}`, "x"), name).toEqual(["name"]);
    const nul = await parley.call("POST", "/files?name=a%00b", { rawBody: "x" });
    expect(nul.body.error.details.name).toEqual(["name must not contain NUL characters or broken Unicode."]);
    expect(await wrong("/files?name=a.txt", "")).toEqual(["body"]);
    const headers = { "content-encoding": "gzip" };
    expect((await upload("a.txt", "x", "text/plain", { headers })).status).toBe(415);
    expect((await upload("a.txt", "x", "multipart/form-data")).body.error.details).toHaveProperty("body");
    expect(await filesStored()).toEqual(before);
  });

  it("over the limit gets a 413 that names it, with or without an announced length, and leaves nothing", async () => {
    const before = await filesStored();
    const large = Buffer.alloc(FILE_BYTES_MAX + 1);
    const announced = await upload("a.bin", large);
    expect([announced.status, announced.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(announced.body.error.message).toContain(String(FILE_BYTES_MAX));
    const unannounced = await fetch(`${parley.url}/api/v1/files?name=a.bin`, {
      method: "POST",
      headers: { authorization: `Bearer ${parley.key}` },
      body: new Blob([large]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(unannounced.status).toBe(413);
    expect((await upload("a.bin", Buffer.alloc(FILE_BYTES_MAX * 3))).status).toBe(413);
    expect(await filesStored()).toEqual(before);
  });

  it("that is interrupted leaves nothing behind", async () => {
    const before = await filesStored();
    const stop = new AbortController();
    const begun = fetch(`${parley.url}/api/v1/files?name=cut.bin`, {
      method: "POST",
      headers: { authorization: `Bearer ${parley.key}` },
      body: new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(600_000)),
      }),
      duplex: "half",
      signal: stop.signal,
    } as RequestInit).catch(() => "cut");
    await until("the first chunks are stored", async () => (await filesStored()).length > before.length);
    stop.abort();
    expect(await begun).toBe("cut");
    await until("they are gone", async () => (await filesStored()).length === before.length);
    expect(parley.logs()).not.toContain("INTERNAL_ERROR");
  });

  it("past the limit of uploads at once receives a 429 with Retry-After", async () => {
    const { key } = await parley.createWorkspace();
    const stop = new AbortController();
    // 8 of them run and 100 wait until they are aborted: only what is refused gets a response.
    const unfinished = Array.from({ length: 120 }, () =>
      fetch(`${parley.url}/api/v1/files?name=slow.bin`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }),
        duplex: "half",
        signal: stop.signal,
      } as RequestInit),
    );
    const refused = await Promise.any(unfinished);
    const { error } = (await refused.json()) as Any;
    stop.abort();
    await Promise.allSettled(unfinished);
    expect([refused.status, error.code, error.retry_after]).toEqual([429, "RATE_LIMIT_EXCEEDED", 1]);
    expect(refused.headers.get("retry-after")).toBe("1");
  });

  it("past the quota of the workspace is a 422 on files, until something is deleted", async () => {
    const { key } = await parley.createWorkspace();
    const kept: Any[] = [];
    for (let n = 0; n < 3; n++)
      kept.push((await upload(`${n}`, Buffer.alloc(FILE_BYTES_MAX), "a/b", { key })).body.data);
    const refused = await upload("one more", "x", "a/b", { key });
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([422, ["files"]]);
    expect((await parley.call("DELETE", `/files/${kept[0].id}`, { key })).status).toBe(200);
    expect((await upload("one more", "x", "a/b", { key })).status).toBe(201);
  });

  it("with an Idempotency-Key is stored once, and another file under that key is a 409", async () => {
    const headers = { "idempotency-key": "upload-1" };
    const first = await upload("once.txt", "once", "text/plain", { headers });
    const stored = await filesStored();
    const [again, together] = await Promise.all([
      upload("once.txt", "once", "text/plain", { headers }),
      upload("once.txt", "once", "text/plain", { headers }),
    ]);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(together.body).toEqual(first.body);
    expect((await upload("once.txt", "twice", "text/plain", { headers })).status).toBe(409);
    expect((await upload("other.txt", "once", "text/plain", { headers })).status).toBe(409);
    expect(await filesStored()).toEqual(stored);
  });

  it("needs the scope messages:write", async () => {
    const { key } = await parley.createKey({ type: "limited", abilities: ["messages:read"] });
    expect((await upload("a.txt", "x", "text/plain", { key })).status).toBe(403);
    const { key: writer } = await parley.createKey({ type: "limited", abilities: ["messages:write"] });
    const own = await upload("a.txt", "x", "text/plain", { key: writer });
    expect(own.body.data).toMatchObject({ name: "a.txt", size_bytes: 1 });
  });

  it("from a page needs the page's own origin and its header, and takes any type", async () => {
    const { workspace } = (await got("/me")).data;
    const own = { "content-type": "image/png", "x-parley-workspace": String(workspace.id) };
    const send = async (headers: Record<string, string | null>) =>
      (await agent.call("POST", "//api/v1/files?name=p.png", "png", { ...own, ...headers })).status;
    expect(await send({})).toBe(201);
    expect(await send({ origin: "https://evil.example" })).toBe(403);
    expect(await send({ origin: null })).toBe(403);
    expect(await send({ "x-parley-workspace": null })).toBe(403);
  });
});

describe("a link to a file", () => {
  it.each([
    ["page.html", "text/html", "attachment", "text/html"],
    ["drawing.svg", "image/svg+xml", "attachment", "image/svg+xml"],
    ["paper.pdf", "application/pdf", "attachment", "application/pdf"],
    ["code.js", "text/javascript", "attachment", "application/octet-stream"],
    ["style.css", "text/css", "attachment", "application/octet-stream"],
    ["odd", "no media type", "attachment", "application/octet-stream"],
    ["photo.png", "image/png", "inline", "image/png"],
    ["note.txt", "text/plain", "inline", "text/plain; charset=utf-8"],
  ])("serves %s of type %s as %s, sandboxed and never sniffed", async (name, type, disposition, servedType) => {
    const { url } = await uploaded(name, "<script>alert(1)</script>", type);
    const { headers } = await fetch(url);
    expect(headers.get("content-type")).toBe(servedType);
    expect(headers.get("content-disposition")).toBe(`${disposition}; filename="${name}"; filename*=UTF-8''${name}`);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/(^|; )sandbox(;|$)/);
  });

  it("writes an unusual name safely into its headers", async () => {
    const { url } = await uploaded('a"b; filename=x.exe ü.txt');
    expect((await fetch(url)).headers.get("content-disposition")).toBe(
      `inline; filename="a_b; filename=x.exe _.txt"; filename*=UTF-8''a%22b%3B%20filename%3Dx.exe%20%C3%BC.txt`,
    );
  });

  it("is refused when it was altered, has expired, or was signed for another file", async () => {
    const { url, uuid, id } = await uploaded();
    const other = await uploaded("note.txt", "other");
    const at = (change: (url: URL) => void) => {
      const changed = new URL(url);
      change(changed);
      return fetch(changed).then(({ status }) => status);
    };
    expect(await at(() => {})).toBe(200);
    expect(await at(({ searchParams }) => searchParams.delete("signature"))).toBe(403);
    expect(await at(({ searchParams }) => searchParams.set("signature", "A".repeat(43)))).toBe(403);
    expect(await at(({ searchParams }) => searchParams.set("expires", "99999999999"))).toBe(403);
    expect(await at((changed) => (changed.pathname = changed.pathname.replace(uuid, other.uuid)))).toBe(403);
    expect(await at((changed) => (changed.pathname = changed.pathname.replace("note.txt", "note.html")))).toBe(404);
    const { createFileLinks } = await import("../../src/files/links.ts");
    const twoDaysAgo = () => Date.now() - 2 * 86_400_000;
    const old = createFileLinks(parley.app.store.secretBox, () => parley.url, twoDaysAgo);
    const expired = await fetch(old.forResponse({ uuid, name: "note.txt" }).url);
    expect(expired.status).toBe(403);
    expect(await expired.text()).toContain("expired");
    await parley.call("DELETE", `/files/${id}`);
    expect(await at(() => {})).toBe(404);
    expect(parley.logs()).not.toContain(new URL(url).searchParams.get("signature"));
  });

  it("sends nothing again that the client has", async () => {
    const { url, sha256 } = await uploaded();
    const again = await fetch(url, { headers: { "if-none-match": `"${sha256}"` } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await fetch(url, { method: "HEAD" })).headers.get("content-length")).toBe("5");
  });
});

describe("a message with a file", () => {
  it("shows it with a fresh link, and its event with one for seven days", async () => {
    const path = `${await opened()}/messages`;
    const file = await uploaded("photo.png", "pixels", "image/png");
    let message: Any;
    const [event] = await eventsOf(async () => {
      message = await made(path, { body: "see", attachments: [{ file_id: file.id }, { url: "https://a.example/b" }] });
    });
    const { id: file_id, name, content_type, size_bytes, url } = file;
    const shown = { file_id, name, content_type, size_bytes, url };
    const elsewhere = { url: "https://a.example/b", name: null, content_type: null, size_bytes: null };
    expect(message.attachments).toEqual([shown, elsewhere]);
    expect((await got(`${path}/${message.id}`)).data).toEqual(message);
    expect((await got(path)).data).toEqual([message]);
    const [attached] = event.data.attachments;
    expect(attached).toEqual({ ...shown, url: expect.any(String) });
    const days = (Number(new URL(attached.url).searchParams.get("expires")) - Date.now() / 1_000) / 86_400;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
    expect(await (await fetch(attached.url)).text()).toBe("pixels");
  });

  it("can be sent by a person, with a first message, by uuid, and without text", async () => {
    const files = await Promise.all(["a", "b", "c"].map((name) => uploaded(name)));
    const [byPerson, first, byUuid] = files as [Any, Any, Any];
    const path = `${await opened()}/messages`;
    const sent = await agent.call("POST", `//api/v1${path}`, { attachments: [{ file_id: byPerson.id }] });
    expect(sent.body.data.attachments[0].file_id).toBe(byPerson.id);
    const { message } = await made("/conversations", { message: { attachments: [{ file_id: first.id }] } });
    expect(message.attachments[0].file_id).toBe(first.id);
    const named = await made(path, { attachments: [{ file_id: byUuid.uuid }] });
    expect(named.attachments[0].file_id).toBe(byUuid.id);
  });

  it("takes null for the field that an attachment does not have, wherever attachments are written", async () => {
    const conversation = await opened();
    const [sent, first, drafted] = (await Promise.all(["s", "f", "d"].map((name) => uploaded(name)))) as [
      Any,
      Any,
      Any,
    ];
    const none = { name: null, content_type: null, size_bytes: null };
    const of = ({ id }: Any) => [
      { file_id: null, url: "https://a.example/b", ...none },
      { file_id: id, url: null, ...none },
    ];
    const shown = ({ id }: Any) => [{ url: "https://a.example/b" }, { file_id: id }];
    const message = await made(`${conversation}/messages`, { attachments: of(sent) });
    expect(message.attachments).toMatchObject(shown(sent));
    expect(message.attachments[0]).not.toHaveProperty("file_id");
    const item = `${conversation}/messages/${message.id}`;
    expect((await patched(item, { attachments: of(sent) })).attachments).toMatchObject(shown(sent));
    const begun = await made("/conversations", { message: { attachments: of(first) } });
    expect(begun.message.attachments).toMatchObject(shown(first));
    const draft = await made(`${conversation}/drafts`, { attachments: of(drafted) });
    expect(draft.attachments).toMatchObject(shown(drafted));
    const nothing = { body: "x", attachments: [{ file_id: null, url: null }] };
    expect(await wrongFields("POST", `${conversation}/messages`, nothing)).toEqual(["attachments"]);
  });

  it("is the only one that has it", async () => {
    const path = `${await opened()}/messages`;
    const file = await uploaded();
    const body = { body: "x", attachments: [{ file_id: file.id }] };
    const replies = await Promise.all(Array.from({ length: 5 }, () => parley.call("POST", path, { body })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
    expect(await wrongFields("POST", "/conversations", { message: body })).toEqual(["message"]);
    expect(await wrongFields("POST", `${path.replace("/messages", "/drafts")}`, body)).toEqual(["attachments"]);
    expect((await parley.call("DELETE", `/files/${file.id}`)).status).toBe(409);
  });

  it("names the attachments that are wrong", async () => {
    const path = `${await opened()}/messages`;
    const file = await uploaded();
    const attempt = async (attachments: object[]) =>
      (await parley.call("POST", path, { body: { attachments } })).body.error.details.attachments;
    expect(await attempt([{}])).toEqual(["attachments[0] must have either file_id or url."]);
    expect(await attempt([{ file_id: file.id, url: "https://a.example" }])).toHaveLength(1);
    const unknown = "names a file that does not exist.";
    expect(await attempt([{ file_id: file.id }, { file_id: 999_999 }, { file_id: 0 }])).toEqual([
      `attachments[1] ${unknown}`,
      `attachments[2] ${unknown}`,
    ]);
    expect(await attempt([{ file_id: file.id }, { file_id: file.uuid }])).toEqual(["attachments[1] repeats a file."]);
  });

  it("takes its files with it when it is deleted, and drops the one that an edit leaves out", async () => {
    const path = `${await opened()}/messages`;
    const [kept, dropped, later] = (await Promise.all(["k", "d", "l"].map((name) => uploaded(name)))) as [
      Any,
      Any,
      Any,
    ];
    const message = await made(path, { body: "x", attachments: [{ file_id: kept.id }, { file_id: dropped.id }] });
    const item = `${path}/${message.id}`;
    const unchanged = await eventsOf(() =>
      patched(item, { attachments: [{ file_id: kept.id }, { file_id: dropped.id }] }),
    );
    expect(unchanged).toEqual([]);
    expect((await patched(item, { body: "y" })).attachments).toHaveLength(2);
    await patched(item, { attachments: [{ file_id: kept.id }, { file_id: later.id }] });
    expect((await parley.call("GET", `/files/${dropped.id}`)).status).toBe(404);
    await parley.call("DELETE", item);
    for (const { id } of [kept, later]) {
      expect((await parley.call("GET", `/files/${id}`)).status).toBe(404);
      expect(await chunksOf(id)).toBe(0);
    }
    expect((await fetch(kept.url)).status).toBe(404);
  });

  it("of another workspace is a 404, and its file cannot be attached", async () => {
    const { key } = await parley.createWorkspace();
    const file = await uploaded();
    const own = await parley.call("POST", "/conversations", { key, body: {} });
    for (const id of [file.id, file.uuid])
      for (const method of ["GET", "DELETE"])
        expect((await parley.call(method, `/files/${id}`, { key })).status).toBe(404);
    const stolen = await parley.call("POST", `/conversations/${own.body.data.id}/messages`, {
      key,
      body: { attachments: [{ file_id: file.id }] },
    });
    expect([stolen.status, stolen.body.error.details.attachments]).toEqual([
      422,
      ["attachments[0] names a file that does not exist."],
    ]);
    expect((await parley.call("GET", `/files/${file.id}`)).status).toBe(200);
  });

  it("cannot use a file that another caller uploaded, for a key that may not read messages", async () => {
    const path = `${await opened()}/messages`;
    const { key } = await parley.createKey({ type: "limited", abilities: ["messages:write"] });
    const file = await uploaded();
    const send = (id: number) => parley.call("POST", path, { key, body: { attachments: [{ file_id: id }] } });
    expect((await send(file.id)).status).toBe(422);
    const own = (await upload("own.txt", "own", "text/plain", { key })).body.data;
    expect((await send(own.id)).body.data.attachments[0].file_id).toBe(own.id);
  });
});

describe("a draft with a file", () => {
  it("holds it, hands it to the message when it is sent, and is private to its person", async () => {
    const conversation = await opened();
    const upload = await uploaded("plan.txt", "plan");
    const attachments = [{ file_id: upload.id }];
    const draft = (await agent.call("POST", `//api/v1${conversation}/drafts`, { body: "x", attachments })).body.data;
    expect(draft.attachments[0].file_id).toBe(upload.id);
    expect((await parley.call("GET", `/files/${upload.id}`)).status).toBe(404);
    expect((await agent.call("GET", `//api/v1/files/${upload.id}`)).status).toBe(200);
    expect(await wrongFields("POST", `${conversation}/messages`, { attachments })).toEqual(["attachments"]);
    const sent = await agent.call("POST", `//api/v1${conversation}/drafts/${draft.id}/send`);
    expect([sent.status, sent.body.data.attachments[0].file_id]).toEqual([201, upload.id]);
    expect((await got(`/files/${upload.id}`)).data.name).toBe("plan.txt");
  });

  it("of a key can be sent with its file by a key that may not read messages", async () => {
    const conversation = await opened();
    const file = await uploaded();
    const draft = await made(`${conversation}/drafts`, { attachments: [{ file_id: file.id }] });
    expect(draft.attachments[0].url).toBe(file.url);
    const { key } = await parley.createKey({ type: "limited", abilities: ["messages:write"] });
    const sent = await parley.call("POST", `${conversation}/drafts/${draft.id}/send`, { key });
    expect(sent.status).toBe(201);
    expect((await got(`${conversation}/messages`)).data[0].attachments[0].file_id).toBe(file.id);
  });
});

describe("files that nothing holds", () => {
  it("are removed a day after their upload, and those in messages and drafts stay", async () => {
    const conversation = await opened();
    const [orphan, sent, drafted, dropped] = (await Promise.all(
      ["orphan", "sent", "drafted", "dropped"].map((name) => uploaded(name)),
    )) as [Any, Any, Any, Any];
    await made(`${conversation}/messages`, { attachments: [{ file_id: sent.id }] });
    const draft = await made(`${conversation}/drafts`, {
      body: "x",
      attachments: [{ file_id: drafted.id }, { file_id: dropped.id }],
    });
    await patched(`${conversation}/drafts/${draft.id}`, { attachments: [{ file_id: drafted.id }] });
    const { db } = parley.app.store;
    const ids = [orphan, sent, drafted, dropped].map(({ id }) => id);
    const left = async () => (await filesStored()).filter((id) => ids.includes(id));
    await expireFiles(db);
    expect(await left()).toEqual(ids.sort((a, b) => a - b));
    await parley.database.query("update files set created_at = created_at - interval '25 hours' where id = any($1)", [
      ids,
    ]);
    await expireFiles(db);
    expect(await left()).toEqual([sent.id, drafted.id].sort((a, b) => a - b));
    expect(await chunksOf(orphan.id)).toBe(0);
  });
});
