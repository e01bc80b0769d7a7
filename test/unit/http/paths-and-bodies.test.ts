import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/core/errors.ts";
import { parseBody } from "../../../src/http/pipeline/body.ts";
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
});
