import { expect, it } from "vitest";
import { namedSql, valuesOf } from "../../../src/db/named-sql.ts";

it("A named parameter gets one number wherever it occurs, and casts and times are left alone", () => {
  const text = `select :id::bigint, :name, to_char(now(), 'HH24:MI:SS'), '{"a":"%s"}' where id = :id`;
  const statement = namedSql("example", text);
  expect(statement.text).toBe(`select $1::bigint, $2, to_char(now(), 'HH24:MI:SS'), '{"a":"%s"}' where id = $1`);
  expect(valuesOf(statement, { name: "x", other: 0, id: 7 })).toEqual([7, "x"]);
});

it("A statement with named parameters refuses to run without one of them", () => {
  expect(() => valuesOf(namedSql("example", "select :id"), {})).toThrow("The statement example needs a value for id.");
});
