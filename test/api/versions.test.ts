import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
const paths: Record<string, string> = {};
beforeAll(async () => {
  parley = await startParley();
  const key = await parley.createKey({ name: "first" });
  paths.key = `/api-keys/${key.id}`;
  const body = { name: "first", url: "http://127.0.0.1:9/", events: ["message.created"] };
  paths.webhook = `/webhooks/${await created("/webhooks", body)}`;
  const widget = { name: "first", allowed_origins: ["https://shop.example"] };
  paths.widget = `/widgets/${await created("/widgets", widget)}`;
  const conversation = `/conversations/${await created("/conversations", {})}`;
  const upload = { rawBody: "bytes", headers: { "content-type": "text/plain" } };
  const file = (await parley.call("POST", "/files?name=a.txt", upload)).body.data;
  const message = { body: "first", attachments: [{ file_id: file.id }] };
  paths.message = `${conversation}/messages/${await created(`${conversation}/messages`, message)}`;
  paths.draft = `${conversation}/drafts/${await created(`${conversation}/drafts`, { body: "first" })}`;
  paths.view = `/views/${await created("/views", { name: "first" })}`;
  paths["saved reply"] = `/saved-replies/${await created("/saved-replies", { name: "first", body: "Hello" })}`;
});
afterAll(() => parley.close());

const created = async (path: string, body: object): Promise<number> =>
  (await parley.call("POST", path, { body })).body.data.id;

/** What is changed of a record: messages and drafts have no name. */
const textField = (path: string): string => (/messages|drafts/.test(path) ? "body" : "name");
const read = async (path: string) => {
  const { headers, body } = await parley.call("GET", path);
  return { etag: headers.get("etag") ?? "", name: body.data[textField(path)] as string };
};
const rename = (path: string, name: string, etag?: string) =>
  parley.call("PATCH", path, {
    body: { [textField(path)]: name },
    headers: etag === undefined ? {} : { "if-match": etag },
  });

describe.each(["key", "webhook", "widget", "message", "draft", "saved reply", "view"])("with If-Match,", (kind) => {
  const path = () => paths[kind] as string;

  it(`a ${kind} changed with the ETag of its current version gets the change and the next ETag`, async () => {
    const before = await read(path());
    const changed = await rename(path(), "second", before.etag);
    expect(changed.status, changed.text).toBe(200);
    const after = await read(path());
    expect(after.name).toBe("second");
    expect(after.etag).toBe(changed.headers.get("etag"));
    expect(after.etag).not.toBe(before.etag);
  });

  it(`a ${kind} changed with an outdated ETag receives a 412 and stays as it is`, async () => {
    const before = await read(path());
    await rename(path(), "third");
    const refused = await rename(path(), "lost", before.etag);
    expect([refused.status, refused.body.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
    expect((await read(path())).name).toBe("third");
    expect((await rename(path(), "fourth", "*")).status).toBe(200);
    expect((await rename(path(), "fifth", `W/${(await read(path())).etag}, "another"`)).status).toBe(200);
  });

  it(`of several changes of one version of a ${kind} exactly one succeeds`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const { etag } = await read(path());
      const replies = await Promise.all([1, 2, 3].map((one) => rename(path(), `round ${round} by ${one}`, etag)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    }
  });
});

it("a caller who may not read a record gets no ETag of it with what it wrote", async () => {
  const abilities = ["conversations:write", "messages:write", "contacts:write", "drafts:write"];
  const { key } = await parley.createKey({ type: "limited", abilities });
  const conversation = (paths.message ?? "").replace(/\/messages.*/, "");
  const contact = `/contacts/${await created("/contacts", { phone: "+4912345" })}`;
  const draft = `${conversation}/drafts/${await created(`${conversation}/drafts`, { body: "first" })}`;
  for (const path of [paths.message ?? "", draft, paths["saved reply"] ?? "", conversation, contact]) {
    const { status, body, headers } = await parley.call("PATCH", path, { key, body: {} });
    expect([path, status, Object.keys(body.data), headers.get("etag")]).toEqual([path, 200, ["id", "uuid"], null]);
    expect((await parley.call("PATCH", path, { body: {} })).headers.get("etag")).toBe((await read(path)).etag);
  }
});

it("using a key or testing a webhook does not change its ETag", async () => {
  const before = [await read(paths.key as string), await read(paths.webhook as string)];
  await parley.call("POST", `${paths.webhook}/test`);
  const after = [await read(paths.key as string), await read(paths.webhook as string)];
  expect(after).toEqual(before);
});
