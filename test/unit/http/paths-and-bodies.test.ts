import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Fault } from "../../../src/core/errors.ts";
import { acceptBodies, parseBody } from "../../../src/http/pipeline/body.ts";
import { createPathTable } from "../../../src/http/server/path-table.ts";

describe("the path table", () => {
  const paths = createPathTable();
  paths.add("/api/v1/api-keys", ["GET", "HEAD"]);
  paths.add("/api/v1/api-keys", "POST");
  paths.add("/api/v1/api-keys/:key", "GET");
  paths.add("/api/v1/openapi.json", "GET");
  paths.add("/assets/*", "GET");

  it("knows the methods of a path, in order", () => {
    expect(paths.methodsAt("/api/v1/api-keys")).toEqual(["GET", "HEAD", "POST"]);
    expect(paths.methodsAt("/api/v1/api-keys/7")).toEqual(["GET"]);
    expect(paths.methodsAt("/assets/inbox.js")).toEqual(["GET"]);
  });

  it.each(["/", "/api/v1/api-keys/", "/api/v1/api-keys/7/8", "/api/v1/openapiXjson", "/x/api/v1/api-keys", ""])(
    "has nothing at %j",
    (path) => expect(paths.methodsAt(path)).toEqual([]),
  );
});

describe("parseBody", () => {
  it("returns any valid JSON object unchanged", () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));
    fc.assert(
      fc.property(objects, (value) => {
        const text = JSON.stringify(value);
        if (/\\u(0000|d[89a-f])/i.test(text)) return;
        expect(JSON.stringify(parseBody(Buffer.from(text)))).toBe(text);
      }),
    );
  });

  it("refuses every other input with the one fault for it, and never crashes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          expect(typeof parseBody(Buffer.from(bytes))).toBe("object");
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
          expect((error as Fault).code).toBe("VALIDATION_ERROR");
          expect(Object.keys((error as Fault).details ?? {})).toEqual(["body"]);
        }
      }),
    );
  });

  it("lets 64 levels through and no more, however the brackets are hidden in text", () => {
    const nested = (levels: number) => Buffer.from(`{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`);
    expect(() => parseBody(nested(64))).not.toThrow();
    expect(() => parseBody(nested(65))).toThrow(Fault);
    expect(() => parseBody(Buffer.from(JSON.stringify({ a: '[[{{\\"'.repeat(100) })))).not.toThrow();
  });

  it("refuses a megabyte of brackets before parsing it, which would take a tenth of a second", () => {
    const parse = vi.spyOn(JSON, "parse");
    try {
      expect(() => parseBody(Buffer.from(`{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`))).toThrow(Fault);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });
});

it("of large bodies that arrive together, one is parsed per turn of the event loop", async () => {
  let parse = (_request: object, _bytes: Buffer): Promise<unknown> => Promise.reject(new Error("no parser"));
  const server = {
    removeAllContentTypeParsers() {},
    addHook() {},
    addContentTypeParser(_type: string, _options: object, given: typeof parse) {
      parse = given;
    },
  };
  acceptBodies(server as never);
  const request = { headers: {}, ip: "192.0.2.1", routeOptions: { config: { spec: { body: { properties: {} } } } } };
  const large = Buffer.from(JSON.stringify({ a: "x".repeat(70_000) }));
  let turn = 0;
  const next = () => {
    turn++;
    counting = setImmediate(next);
  };
  let counting = setImmediate(next);
  const parsedIn = await Promise.all(Array.from({ length: 8 }, () => parse(request, large).then(() => turn)));
  clearImmediate(counting);
  expect(new Set(parsedIn).size).toBe(8);
});
