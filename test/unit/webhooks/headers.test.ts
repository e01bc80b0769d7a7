import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHeaders } from "../../../src/webhooks/headers.ts";

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/).map((name) => `X-${name}`);
const value = fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/);

describe("custom headers", () => {
  it("never throw, whatever is given, and are either pairs of strings or reasons", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (input) => {
        const parsed = parseHeaders(input);
        if (parsed.ok)
          for (const { key, value: text } of parsed.headers)
            expect([typeof key, typeof text]).toEqual(["string", "string"]);
        else expect(parsed.problems.length).toBeGreaterThan(0);
      }),
    );
  });

  it("mean the same in every form", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(token, value), { selector: ([name]) => name.toLowerCase(), maxLength: 20 }),
        (pairs) => {
          const expected = { ok: true, headers: pairs.map(([key, text]) => ({ key, value: text })) };
          expect(parseHeaders(pairs)).toEqual(expected);
          expect(parseHeaders(pairs.map(([key, text]) => ({ key, value: text })))).toEqual(expected);
          expect(parseHeaders(pairs.map(([name, text]) => ({ name, value: text })))).toEqual(expected);
          expect(parseHeaders(pairs.map(([key, text]) => ({ [key]: text })))).toEqual(expected);
          expect(parseHeaders(Object.fromEntries(pairs))).toEqual(expected);
        },
      ),
    );
  });

  it("can carry nothing that would end a header line or start another", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (key, text) => {
        const parsed = parseHeaders([{ key, value: text }]);
        if (!parsed.ok) return;
        for (const header of parsed.headers) {
          expect(header.key).toMatch(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/);
          expect(header.value).not.toMatch(/[\r\n\0]/);
        }
      }),
    );
  });

  it("are accepted again when given as they are returned", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ key: token, value }), { maxLength: 20 }), (headers) => {
        const once = parseHeaders(headers);
        if (!once.ok) throw new Error(once.problems.join());
        expect(parseHeaders(once.headers)).toEqual(once);
      }),
    );
  });

  it.each([{ key: "X-A" }, { name: "X-A" }, { value: "a" }, { key: "X-A", "X-B": "b" }])(
    "%j lacks its name or its value and is refused",
    (item) => {
      expect(parseHeaders([item])).toEqual({
        ok: false,
        problems: ["headers[0] must be a pair of two strings, a name and a value."],
      });
    },
  );

  it("of one name fold into the last, whatever their case", () => {
    expect(parseHeaders([{ "X-Team": "a" }, { "x-team": "b" }])).toEqual({
      ok: true,
      headers: [{ key: "x-team", value: "b" }],
    });
  });

  it("are at most 50, with names of at most 128 and values of at most 4,096 characters", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => [`X-${index}`, "v"]);
    expect(parseHeaders(many(50)).ok).toBe(true);
    expect(parseHeaders(many(51)).ok).toBe(false);
    expect(parseHeaders([["x".repeat(128), "v"]]).ok).toBe(true);
    expect(parseHeaders([["x".repeat(129), "v"]]).ok).toBe(false);
    expect(parseHeaders([["x", "v".repeat(4_096)]]).ok).toBe(true);
    expect(parseHeaders([["x", "v".repeat(4_097)]]).ok).toBe(false);
  });
});
