import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRef } from "../../../src/core/ids.ts";
import { logIdOf, logUuid } from "../../../src/delivery/history/log-uuid.ts";

const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe("the uuid of a log row", () => {
  it("is a well-formed uuid of version 8", () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(logUuid(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(parseRef(logUuid(id))).toEqual({ uuid: logUuid(id) });
      }),
    );
  });

  it("decodes to its id", () => {
    fc.assert(fc.property(ids, (id) => logIdOf(logUuid(id)) === id));
  });

  it("is never the same for two rows", () => {
    fc.assert(fc.property(ids, ids, (a, b) => (logUuid(a) === logUuid(b)) === (a === b)));
  });

  it("cannot be guessed: any other uuid is unknown", () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => logIdOf(uuid) === null));
    const uuid = logUuid(42);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 35 }), fc.constantFrom(..."0123456789abcdef"), (place, digit) => {
        const other = uuid.slice(0, place) + digit + uuid.slice(place + 1);
        if (other !== uuid && uuid[place] !== "-") expect(logIdOf(other)).toBeNull();
      }),
    );
  });
});
