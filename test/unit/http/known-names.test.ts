import { Type } from "typebox";
import { expect, it, vi } from "vitest";
import { knownNamesOf, NO_NAMES, unknownNames } from "../../../src/http/pipeline/known-names.ts";

it("does not list the names of a field that may have any", () => {
  const schema = Type.Object({ name: Type.String(), attributes: Type.Record(Type.String(), Type.Unknown()) });
  const ownKeys = vi.fn(Reflect.ownKeys);
  const body = { nam: "a", attributes: new Proxy({ plan: { any: 1 } }, { ownKeys }) };
  expect(unknownNames(knownNamesOf(schema) ?? NO_NAMES, body)).toEqual([["nam"]]);
  expect(ownKeys).not.toHaveBeenCalled();
});
