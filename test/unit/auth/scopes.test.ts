import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ABILITIES,
  abilityProblems,
  effectiveScopes,
  isWiderThan,
  KEY_TYPES,
  SCOPES,
  scopesOfType,
} from "../../../src/auth/scopes.ts";

const abilities = fc.array(
  fc.oneof(fc.constantFrom("*", ...SCOPES, ...SCOPES.map((scope) => `${scope.split(":")[0]}:*`)), fc.string()),
);
const types = fc.constantFrom(...KEY_TYPES);

describe("scopes", () => {
  it("are exactly those that the API reference lists", () => {
    expect(SCOPES).toEqual([
      "api-keys:manage",
      "webhooks:manage",
      "widgets:manage",
      "conversations:read",
      "conversations:write",
      "messages:read",
      "messages:write",
      "drafts:read",
      "drafts:write",
      "contacts:read",
      "contacts:write",
      "mailboxes:manage",
      "mailboxes:ingest",
      "events:read",
      "consumers:manage",
      "audit:read",
    ]);
  });

  it("in effect never exceed what the type may hold, whatever the abilities say", () => {
    fc.assert(
      fc.property(types, abilities, (type, given) => {
        for (const scope of effectiveScopes(type, given)) expect(scopesOfType(type)).toContain(scope);
      }),
    );
  });

  it("grow with the abilities: one more never takes a scope away", () => {
    fc.assert(
      fc.property(types, abilities, abilities, (type, some, more) => {
        expect(isWiderThan(effectiveScopes(type, some), effectiveScopes(type, [...some, ...more]))).toBe(false);
      }),
    );
  });

  it("are granted by every ability that has no problem", () => {
    fc.assert(
      fc.property(types, abilities, (type, given) => {
        for (const ability of given)
          if (abilityProblems(type, [ability]).length === 0)
            expect(effectiveScopes(type, [ability]).size).toBeGreaterThan(0);
      }),
    );
  });

  it("of a group are not those of another group that begins alike", () => {
    expect(effectiveScopes("full", ["con:*", "conversation:*", ":*", "*:read", "**"]).size).toBe(0);
  });

  it("of a key are those of its listed abilities together, and no other ability has an effect", () => {
    for (const ability of ABILITIES) expect(effectiveScopes("full", [ability]).size).toBeGreaterThan(0);
    fc.assert(
      fc.property(types, abilities, (type, given) => {
        const listed = given.filter((ability) => ABILITIES.includes(ability));
        const each = listed.flatMap((ability) => [...effectiveScopes(type, [ability])]);
        expect(effectiveScopes(type, given)).toEqual(new Set(each));
      }),
    );
  });

  it("are wider than others if there is at least one scope more", () => {
    const some = new Set(SCOPES.slice(0, 2));
    expect(isWiderThan(some, new Set(SCOPES))).toBe(false);
    expect(isWiderThan(some, some)).toBe(false);
    expect(isWiderThan(new Set(SCOPES), some)).toBe(true);
    expect(isWiderThan(new Set(SCOPES.slice(1, 3)), some)).toBe(true);
  });
});
