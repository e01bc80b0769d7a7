import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

const post = (rawBody: string | Buffer, contentType: string | null = "application/json") =>
  parley.call("POST", "/api-keys", {
    // A buffer, because fetch gives text a content type of its own.
    rawBody: Buffer.from(rawBody),
    headers: contentType === null ? {} : { "content-type": contentType },
  });
const GOOD = '{"name":"n"}';

describe("a body that cannot be read", () => {
  it.each(["gzip", "br", "deflate", "x-gzip, identity"])(
    "gets a 415 that names the content encoding %s",
    async (encoding) => {
      const reply = await parley.call("POST", "/api-keys", {
        rawBody: Buffer.from(GOOD),
        headers: { "content-type": "application/json", "content-encoding": encoding },
      });
      expect(reply.status).toBe(415);
      expect(reply.body.error.message).toBe(
        `Send the body uncompressed: the content encoding ${encoding} is not supported.`,
      );
    },
  );

  it("is accepted with the content encoding identity", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "identity" };
    expect((await parley.call("POST", "/api-keys", { rawBody: Buffer.from(GOOD), headers })).status).toBe(201);
  });

  it("gets a 413 that names the limit, which is 16 KiB where nobody has to sign in", async () => {
    const big = (bytes: number) => JSON.stringify({ name: "n".repeat(bytes) });
    const { status, body } = await post(big(1_048_576));
    expect(status).toBe(413);
    expect(body.error.message).toBe("The body is larger than the limit of 1048576 bytes.");
    const signIn = (rawBody: string) =>
      parley.call("POST", "//dashboard-api/sign-in", {
        key: null,
        rawBody,
        headers: { "content-type": "application/json" },
      });
    const refused = await signIn(big(16_384));
    expect(refused.status).toBe(413);
    expect(refused.body.error.message).toBe("The body is larger than the limit of 16384 bytes.");
    expect((await signIn(big(16_000))).status).toBe(422);
  });
});

describe("the content type", () => {
  it.each([
    ["application/json"],
    ["application/json; charset=utf-8"],
    ["APPLICATION/JSON"],
    ["application/vnd.api+json"],
    ["text/plain"],
    ["text/plain;charset=UTF-8"],
    ["application/octet-stream"],
    ["application/xml"],
    ["json"],
    ["nonsense; x"],
    [";;;"],
    ["/"],
    [null],
  ])("may be %s if the body parses as a JSON object", async (type) => {
    const { status, text } = await post(GOOD, type);
    expect(status, text).toBe(201);
  });

  it.each([
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-8",
    "Application/X-WWW-Form-Urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "multipart/mixed; boundary=x",
  ])("may not be %s, which gets a 415 even with JSON inside", async (type) => {
    for (const body of ["name=n", GOOD]) {
      const reply = await post(body, type);
      expect(reply.status).toBe(415);
      expect(reply.body).toEqual({
        success: false,
        error: { code: "UNSUPPORTED_MEDIA_TYPE", message: expect.any(String) },
      });
    }
  });

  it("of an operation without a body is not asked for", async () => {
    const made = await parley.createKey();
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/", "x"]) {
      const { status, text } = await parley.call("DELETE", `/api-keys/${made.id}`, {
        rawBody: "a=b",
        headers: { "content-type": type },
      });
      expect(status, text).toBe(200);
    }
  });
});

describe("a body that is not a JSON object", () => {
  it.each([
    ["cut off", "{"],
    ["with a trailing comma", '{"name":"n",}'],
    ["with single quotes", "{'name':'n'}"],
    ["with a comment", '{"name":"n"} // x'],
    ["two in a row", '{"name":"n"}{"name":"m"}'],
    ["bare text", "name"],
    ["NaN", '{"name":NaN}'],
    ["a list", '[{"name":"n"}]'],
    ["a string", '"name"'],
    ["a number", "1"],
    ["a boolean", "true"],
    ["null", "null"],
    ["a raw NUL inside text", '{"name":"a\0b"}'],
    ["an escaped NUL in an unknown field", '{"name":"n","x":"a\\u0000b"}'],
    ["half a pair in an unknown field", '{"name":"n","x":{"y":["\\udfff"]}}'],
    ["a number beyond a double", '{"name":"n","x":{"y":[1e400]}}'],
    ["half a pair in a field's name", '{"name":"n","\\ud800":1}'],
  ])("gets a 422 on body: %s", async (_what, body) => {
    const reply = await post(body);
    expect(reply.status, reply.text).toBe(422);
    expect(reply.body.error.code).toBe("VALIDATION_ERROR");
    expect(Object.keys(reply.body.error.details)).toEqual(["body"]);
    expect(reply.body.error.details.body[0]).toMatch(/^The body must .*\.$/);
  });

  it.each([
    ["an escaped NUL", '"a\\u0000b"'],
    ["half a surrogate pair", '"\\ud800"'],
    ["half a pair in capitals", '"\\uD800x"'],
  ])("names each field with %s, together with every other wrong field", async (_what, text) => {
    const reply = await post(`{"name":${text},"description":${text},"type":"x","abilities":["*",${text}]}`);
    expect(reply.status, reply.text).toBe(422);
    expect(reply.body.error.details).toEqual({
      name: ["name must not contain NUL characters or broken Unicode."],
      description: ["description must not contain NUL characters or broken Unicode."],
      type: ["type must be one of: full, limited, webhook, bot."],
      abilities: ["abilities[1] must not contain NUL characters or broken Unicode."],
    });
  });

  it("says where in a field the text or number is that cannot be stored", async () => {
    const sentenceFor = async (attributes: string) => {
      const { status, body } = await parley.call("POST", "/contacts", { rawBody: `{"attributes":${attributes}}` });
      expect([status, Object.keys(body.error?.details ?? {})], attributes).toEqual([422, ["attributes"]]);
      return body.error.details.attributes;
    };
    const TEXT = "must not contain NUL characters or broken Unicode.";
    expect(await sentenceFor('{"a":{"b":[1,"\\u0000"]}}')).toEqual([`attributes.a.b[1] ${TEXT}`]);
    expect(await sentenceFor('{"a":{"\\ud800":1}}')).toEqual([`attributes.a ${TEXT}`]);
    expect(await sentenceFor(`{"${"long".repeat(1_000)}":"\\u0000"}`)).toEqual([`attributes ${TEXT}`]);
    expect(await sentenceFor('{"a":[1e400]}')).toEqual(["attributes.a[0] must not contain numbers beyond 1.8e308."]);
  });

  it("gets a 422 on body because it is not UTF-8", async () => {
    const reply = await post(Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]));
    expect(reply.status).toBe(422);
    expect(reply.body.error.details.body[0]).toContain("UTF-8");
  });

  it.each([
    ["lists", `{"name":"n","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["objects", `{"name":"n","x":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`],
    ["lists without an end", "[".repeat(500_000)],
  ])("gets a 422 on body because it is nested too deep, of %s", async (_what, body) => {
    const reply = await post(body);
    expect(reply.status, reply.text.slice(0, 200)).toBe(422);
    expect(Object.keys(reply.body.error.details)).toEqual(["body"]);
  });
});

describe("in a body that is odd but a JSON object,", () => {
  it("no bytes at all count as {}, and the missing field is named", async () => {
    for (const type of ["application/json", null]) {
      const reply = await post("", type);
      expect(reply.status).toBe(422);
      expect(Object.keys(reply.body.error.details)).toEqual(["name"]);
    }
    const none = await parley.call("POST", "/api-keys");
    expect(Object.keys(none.body.error.details)).toEqual(["name"]);
  });

  it("the last one of repeated fields counts", async () => {
    expect((await post('{"name":"first","name":"last"}')).body.data.name).toBe("last");
  });

  it("__proto__ and constructor are nothing special", async () => {
    const { status, body } = await post(
      '{"name":"n","__proto__":{"type":"bot","polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(status).toBe(201);
    expect(body.data.type).toBe("full");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const alone = await post('{"__proto__":{"name":"n"}}');
    expect(Object.keys(alone.body.error.details)).toEqual(["name"]);
  });

  it("a field named constructor or prototype is stored as it was sent, and nothing inherits it", async () => {
    const attributes = { constructor: { prototype: { polluted: 1 } }, prototype: { polluted: 1 }, toString: "x" };
    for (const [path, rest] of [
      ["/contacts", {}],
      ["/conversations", { contact: { attributes } }],
    ] as const) {
      const made = await parley.call("POST", path, { body: { ...rest, attributes } });
      expect([made.status, made.body.data.attributes], made.text).toEqual([201, attributes]);
      const item = `${path}/${made.body.data.id}`;
      expect((await parley.call("GET", item)).body.data.attributes).toEqual(attributes);
      const other = { constructor: { prototype: { polluted: 2 } } };
      const changed = await parley.call("PATCH", item, { body: { attributes: other } });
      expect([changed.status, changed.body.data.attributes]).toEqual([200, other]);
      const { body } = await parley.call("GET", "/events?order=desc&limit=1");
      expect(body.data[0].data.attributes).toEqual(other);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("a field named __proto__ inside a known field is refused with its place, and is ignored elsewhere", async () => {
    const call = (path: string, rawBody: string) => parley.call("POST", path, { rawBody });
    const SENTENCE = "must not contain a field named __proto__.";
    for (const [path, text, details] of [
      ["/contacts", '{"attributes":{"__proto__":{"polluted":1}}}', { attributes: [`attributes ${SENTENCE}`] }],
      ["/contacts", '{"attributes":{"a":[{"__proto__":1}]}}', { attributes: [`attributes.a[0] ${SENTENCE}`] }],
      ["/contacts", '{"attributes":{"\\u005f_proto__":null}}', { attributes: [`attributes ${SENTENCE}`] }],
      ["/conversations", '{"contact":{"attributes":{"__proto__":1}}}', { contact: [`contact.attributes ${SENTENCE}`] }],
    ] as const) {
      const { status, body } = await call(path, text);
      expect([status, body.error?.details], text).toEqual([422, details]);
    }
    const ignored = await call(
      "/contacts",
      '{"__proto__":{"name":"n"},"x":{"__proto__":1},"email":"\\ud83d\\ude00@a.example"}',
    );
    expect([ignored.status, ignored.body.data.name]).toEqual([201, null]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("a byte order mark, whitespace and escapes are read as JSON says", async () => {
    const { body } = await post(`\ufeff \n\t{"na\\u006de" : "\\ud83d\\ude00 \\"x\\" \\\\u0000"}\n`);
    expect(body.data.name).toBe('😀 "x" \\u0000');
  });

  it("nesting of a few levels in an unknown field is ignored like the field", async () => {
    expect((await post(`{"name":"n","x":${"[".repeat(60)}${"]".repeat(60)}}`)).status).toBe(201);
    expect((await post(`{"name":"n","x":"${"[".repeat(5_000)}"}`)).status).toBe(201);
  });

  it("unknown fields alone change nothing", async () => {
    const made = await parley.createKey({ name: "same" });
    const { body } = await parley.call("PATCH", `/api-keys/${made.id}`, { body: { colour: "red" } });
    expect(body.data.name).toBe("same");
  });
});

describe("the size of a body", () => {
  it("is at most 1 MiB, past which it gets a 413", async () => {
    const filler = (size: number) => `{"name":"n","x":"${"x".repeat(size - 19)}"}`;
    expect(filler(100)).toHaveLength(100);
    expect((await post(filler(1_048_576))).status).toBe(201);
    const reply = await post(filler(1_048_577));
    expect(reply.status).toBe(413);
    expect(reply.body).toEqual({ success: false, error: { code: "PAYLOAD_TOO_LARGE", message: expect.any(String) } });
  });

  it("is what PARLEY_BODY_BYTES_MAX says", async () => {
    const small = await startParley({ PARLEY_BODY_BYTES_MAX: "2048" });
    const body = (size: number) => ({ rawBody: `{"name":"n","x":"${"x".repeat(size)}"}` });
    expect((await small.call("POST", "/api-keys", body(1_000))).status).toBe(201);
    expect((await small.call("POST", "/api-keys", body(3_000))).status).toBe(413);
    await small.close();
  });
});
