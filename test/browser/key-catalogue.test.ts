import { describe, expect, it } from "vitest";
import * as shown from "../../dashboard/src/api/key-catalogue.ts";
import { effectiveScopes, KEY_TYPES, SCOPE_CATALOGUE, scopesOfType } from "../../src/auth/scopes.ts";

describe("what the dashboard says about keys", () => {
  it("is what the server knows: types, abilities and their sentences", () => {
    expect(Object.keys(shown.KEY_TYPES).sort()).toEqual([...KEY_TYPES].sort());
    expect(shown.SCOPES).toEqual(SCOPE_CATALOGUE);
  });

  it.each(KEY_TYPES)("holds for a %s key", (type) => {
    expect([...shown.scopesOfType(type)].sort()).toEqual([...scopesOfType(type)].sort());
    for (const abilities of [["*"], ["webhooks:*", "contacts:read"], ["messages:*"], []])
      expect(shown.scopesOf(type, abilities).sort()).toEqual([...effectiveScopes(type, abilities)].sort());
  });
});
