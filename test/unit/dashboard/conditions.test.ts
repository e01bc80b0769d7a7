import type { EventType } from "@parley/client";
import { describe, expect, it } from "vitest";
import {
  type Conditions,
  conditionsOf,
  type EventFilter,
  filterOf,
  type ValueKind,
} from "../../../dashboard/src/pages/webhooks/event-filter/conditions.ts";
import { coveredTypes, fieldsOf } from "../../../dashboard/src/pages/webhooks/event-filter/event-fields.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../../src/events/catalogue.ts";
import { parseFilter } from "../../../src/events/payload-filter.ts";

const KINDS: Record<string, ValueKind> = {
  type: "text",
  "data.direction": "text",
  "data.private": "truth",
  "data.seq": "number",
  "data.body": "text",
};
const kindOf = (path: string): ValueKind => KINDS[path] ?? "any";
const rowsFor = (...rows: [path: string, operator: string, value?: string][]): Conditions => ({
  match: "all",
  rows: rows.map(([path, operator, value = ""], row) => ({ row, path, operator, value }) as Conditions["rows"][number]),
});
const written = (...rows: Parameters<typeof rowsFor>) => filterOf(rowsFor(...rows), kindOf);

describe("conditions of the dashboard", () => {
  it("write one object that mirrors the event, with values of the types that its schema names", () => {
    expect(
      written(
        ["type", "in", "message.created, message.updated"],
        ["data.direction", "is", "in"],
        ["data.private", "is", "false"],
        ["data.seq", "above", "3"],
        ["data.body", "is", "42"],
        ["data.attributes.order", "is", "42"],
        ["data.assignee", "notEmpty"],
      ),
    ).toEqual({
      type: ["message.created", "message.updated"],
      data: {
        direction: "in",
        private: false,
        seq: { $gt: 3 },
        body: "42",
        attributes: { order: 42 },
        assignee: { $ne: null },
      },
    });
  });

  it("write two conditions about one field side by side, and any of several as $or", () => {
    expect(written(["data.seq", "above", "3"], ["data.seq", "below", "9"])).toEqual({
      data: { seq: { $gt: 3 } },
      $and: [{ data: { seq: { $lt: 9 } } }],
    });
    const any = { ...rowsFor(["data.seq", "is", "1"], ["data.direction", "is", "out"]), match: "any" as const };
    expect(filterOf(any, kindOf)).toEqual({ $or: [{ data: { seq: 1 } }, { data: { direction: "out" } }] });
  });

  it("leave out rows that are not complete, and write null when none is", () => {
    expect(written(["", "is", "x"], ["data.direction", "is", ""], ["data..x", "is", "1"])).toBeNull();
    expect(written(["data.direction", "is", ""], ["data.body", "present"])).toEqual({
      data: { body: { $exists: true } },
    });
  });

  it.each<[string, EventFilter]>([
    ["no condition", {}],
    ["literals", { type: "message.created", data: { direction: "in", private: true, seq: 1, assignee: null } }],
    ["operators", { data: { seq: { $gte: 1 }, body: { $startsWith: "Order" }, direction: { $nin: ["out", "in"] } } }],
    ["existence", { data: { email: { $exists: false }, labels: { $exists: true }, subject: { $ne: null } } }],
    ["a number as text", { data: { attributes: { order: "42" } } }],
    ["one field twice", { data: { seq: { $gt: 1 } }, $and: [{ data: { seq: { $lt: 9 } } }] }],
    ["any of several", { $or: [{ data: { seq: 1 } }, { actor: { type: "bot" } }] }],
  ])("are read from a filter and written again without a change: %s", (_name, filter) => {
    const conditions = conditionsOf(filter, kindOf) as Conditions;
    expect(filterOf(conditions, kindOf) ?? {}).toEqual(filter);
    expect(parseFilter(filter).ok).toBe(true);
  });

  it.each<[string, EventFilter]>([
    ["$not", { $not: { type: "message.created" } }],
    ["operators for one element", { data: { seq: { $gt: 1, $lt: 9 } } }],
    ["$or within members", { data: { $or: [{ seq: 1 }, { seq: 2 }] } }],
    ["$or of two members", { $or: [{ data: { seq: 1, direction: "in" } }] }],
    ["an empty text", { data: { body: "" } }],
    ["a comma in a list", { data: { body: ["a, b", "c"] } }],
    ["a name with a dot", { data: { attributes: { "a.b": 1 } } }],
    ["null in a list", { data: { priority: ["high", null] } }],
    ["a type that the field does not have", { data: { body: 42 } }],
  ])("do not pretend to show what rows cannot say: %s", (_name, filter) => {
    expect(conditionsOf(filter, kindOf)).toBeNull();
  });

  it("are offered for every scalar of the events that are chosen, with the values that its schema lists", () => {
    const catalogue = EVENT_TYPES.map((name) => ({
      name,
      schema: EVENT_CATALOGUE[name].data,
    })) as unknown as EventType[];
    const types = coveredTypes(catalogue, ["message.*"]);
    expect(types.map(({ name }) => name)).toEqual(EVENT_TYPES.filter((name) => name.startsWith("message.")));
    const fields = fieldsOf(types);
    const field = (path: string) => fields.find((one) => one.path === path);
    expect(field("data.direction")).toEqual({ path: "data.direction", kind: "text", options: ["in", "out"] });
    expect(field("data.private")?.kind).toBe("truth");
    expect(field("data.attachments.size_bytes")?.kind).toBe("number");
    expect(field("type")?.options).toContain("message.deleted");
    expect(coveredTypes(catalogue, ["*"]).some(({ name }) => name.startsWith("api_key."))).toBe(false);
  });
});
