import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseFilter } from "../../src/events/payload-filter.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const CASES = 400;

async function matches(cases: readonly { filter: unknown; event: unknown }[]): Promise<boolean[]> {
  const paths = cases.map(({ filter }) => {
    const parsed = parseFilter(filter);
    if (!parsed.ok) throw new Error(parsed.problems.join(" "));
    return parsed.path;
  });
  const rows = await database.query<{ matches: boolean }>(
    `select path is null or event @@ path as matches
     from unnest($1::jsonpath[], $2::jsonb[]) with ordinality as given (path, event, position)
     order by position`,
    [paths, cases.map(({ event }) => JSON.stringify(event))],
  );
  return rows.map((row) => row.matches);
}

const event = {
  type: "message.created",
  data: {
    direction: "in",
    private: false,
    seq: 7,
    labels: ["vip", "de"],
    empty: [],
    body: 'say "hi" \\ \u2028 ünï',
    assignee: null,
    contact: { name: "Ada", "e-mail": "ada@example.org" },
    attachments: [
      { name: "a.png", size: 10 },
      { name: "b.pdf", size: 99 },
    ],
    created_at: "2026-07-14T10:00:00+00:00",
  },
};

const TABLE: [filter: object, expected: boolean, why: string][] = [
  [{}, true, "nothing is asked"],
  [{ data: {} }, true, "nothing is asked of data"],
  [{ type: ["message.created", "message.updated"], data: { direction: "in", private: false } }, true, "all match"],
  [{ type: "message.created", data: { direction: "out" } }, false, "one does not match"],
  [{ data: { seq: { $gt: 6, $lt: 8 } } }, true, "between"],
  [{ data: { seq: { $gte: 7, $lte: 7 } } }, true, "between, inclusive"],
  [{ data: { seq: "7" } }, false, "a number is not a text"],
  [{ data: { seq: { $gt: "1" } } }, false, "a number is not compared with a text"],
  [{ data: { seq: 7.0 } }, true, "numbers are equal by value"],
  [{ data: { seq: { $gt: -1 } } }, true, "a negative number"],
  [{ data: { labels: "vip" } }, true, "one element is equal"],
  [{ data: { labels: { $ne: "vip" } } }, false, "an element is equal"],
  [{ data: { labels: { $nin: ["a", "b"] } } }, true, "no element is equal"],
  [{ data: { empty: { $exists: false } } }, true, "an empty array is missing"],
  [{ data: { empty: { $ne: 1 } } }, true, "missing is not equal"],
  [{ data: { assignee: null } }, true, "null is a value"],
  [{ data: { assignee: { $exists: true } } }, true, "null exists"],
  [{ data: { assignee: { $ne: null } } }, false, "null equals null"],
  [{ data: { nothing: null } }, false, "missing is not null"],
  [{ data: { nothing: { $exists: false } } }, true, "missing"],
  [{ data: { nothing: { deeper: { $exists: false } } } }, true, "missing below what is missing"],
  [{ data: { nothing: { $not: { $gt: 1 } } } }, true, "missing and negated"],
  [{ data: { body: 'say "hi" \\ \u2028 ünï' } }, true, "quotes, backslashes and other letters"],
  [{ data: { body: { $startsWith: 'say "' } } }, true, "begins with"],
  [{ data: { seq: { $startsWith: "7" } } }, false, "a number begins with nothing"],
  [{ data: { contact: { "e-mail": "ada@example.org" } } }, true, "a name that is not a word"],
  [{ data: { contact: "Ada" } }, false, "an object is not a text"],
  [{ data: { attachments: { name: "b.pdf" } } }, true, "a member of an element"],
  [{ data: { attachments: { size: { $gt: 50 } } } }, true, "a member of an element, compared"],
  [{ data: { created_at: { $gte: "2026-07-01" } } }, true, "times compare as text"],
  [{ $or: [{ type: "a" }, { data: { seq: 7 } }] }, true, "one of two"],
  [{ $and: [{ type: "message.created" }, { data: { seq: 8 } }] }, false, "both of two"],
  [{ $not: { data: { seq: 8 } } }, true, "negated"],
  [{ $not: {} }, false, "the negation of everything"],
  [{ data: { $or: [{ seq: 8 }, { direction: "in" }] } }, true, "one of two within data"],
  [{ data: { seq: { $in: [1, 7], $ne: 8 } } }, true, "one of them and not another"],
  [{ id: { $exists: true } }, false, "an event without it"],
];

it("a filter matches an event as its table of rules says", async () => {
  const found = await matches(TABLE.map(([filter]) => ({ filter, event })));
  expect(TABLE.map(([, , why], index) => [why, found[index]])).toEqual(
    TABLE.map(([, expected, why]) => [why, expected]),
  );
});

const literal = fc.oneof(
  fc.constantFrom("", "a", "ab", "b", '"', "\\", "ü"),
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constant(null),
);
const name = fc.constantFrom("a", "b", 'c"', "d e");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    literal,
    fc.array(fc.oneof(literal, fc.dictionary(name, literal, { maxKeys: 2 })), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
}));
const comparable = fc.oneof(fc.constantFrom("", "a", "ab", "b"), fc.integer({ min: -3, max: 3 }));
const operators = fc
  .record(
    {
      $eq: literal,
      $ne: literal,
      $gt: comparable,
      $gte: comparable,
      $lt: comparable,
      $lte: comparable,
      $in: fc.array(literal, { minLength: 1, maxLength: 3 }),
      $nin: fc.array(literal, { minLength: 1, maxLength: 3 }),
      $exists: fc.boolean(),
      $startsWith: fc.constantFrom("", "a", "ab"),
    },
    { requiredKeys: [] },
  )
  .filter((found) => Object.keys(found).length > 0);
const { members } = fc.letrec<{ members: Record<string, unknown>; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    { maxDepth: 2 },
    literal,
    fc.array(literal, { minLength: 1, maxLength: 3 }),
    operators,
    operators.map((negated) => ({ $not: negated })),
    tie("members"),
  ),
  members: fc.oneof(
    { maxDepth: 2 },
    fc.dictionary(name, tie("leaf"), { maxKeys: 2 }),
    fc.array(tie("members"), { minLength: 1, maxLength: 2 }).map(($or) => ({ $or })),
    fc.array(tie("members"), { minLength: 1, maxLength: 2 }).map(($and) => ({ $and })),
    tie("members").map(($not) => ({ $not })),
  ),
}));

it("a filter matches the same events as a plain reading of the rules, whatever both are", async () => {
  const cases = fc
    .sample(fc.record({ filter: members, event: fc.dictionary(name, value) }), CASES)
    .filter(({ filter }) => parseFilter(filter).ok);
  expect(cases.length).toBeGreaterThan(CASES / 2);
  const found = await matches(cases);
  const wrong = cases.filter(({ filter, event }, index) => plainMatch(filter, event, []) !== found[index]);
  expect(wrong).toEqual([]);
  expect(found.filter(Boolean).length).toBeGreaterThan(CASES / 20);
});

it("a filter with many values matches what one of them equals, whatever their types and order", async () => {
  const texts = Array.from(
    { length: 120 },
    (_, index) => `${(index * 7919) % 120}${index % 3 === 0 ? "\u{1F98A}" : "\uffee"}`,
  );
  const mixed = [...texts, ...Array.from({ length: 60 }, (_, index) => ((index * 37) % 60) - 30.5), null, true];
  const found = (list: readonly unknown[]) =>
    matches(list.map((value) => ({ filter: { data: { value: mixed } }, event: { data: { value } } })));
  expect(await found(mixed)).toEqual(mixed.map(() => true));
  const others = ["", "1", "119x", "\u{1F98A}", -31, 0, 999, false, [], {}];
  expect(await found(others)).toEqual(others.map(() => false));
  expect(
    await found([
      [false, "1", -30.5],
      ["x", null],
    ]),
  ).toEqual([true, true]);
});

/** As much as one message may hold: 1 MiB of text, 1,000 addresses. */
const LARGEST = {
  type: "message.created",
  data: {
    body: "a".repeat(1_048_576),
    email: {
      to: Array.from({ length: 1_000 }, (_, n) => ({ name: "Ada Lovelace", address: `person-${n}@example.org` })),
    },
  },
};
const ofAddresses = (leaf: unknown) => ({ data: { email: { to: { address: leaf } } } });

/** In milliseconds. What else the machine does only makes a round slower. */
async function fastest(statement: string, values: unknown[]): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 7; round++) {
    const begunAt = performance.now();
    await database.query(statement, values);
    rounds.push(performance.now() - begunAt);
  }
  return Math.min(...rounds);
}

it.each([
  ["50 conditions on its longest array", { $or: Array.from({ length: 49 }, () => ofAddresses({ $startsWith: "q" })) }],
  ["50 negated conditions", { $or: Array.from({ length: 24 }, () => ofAddresses({ $not: { $ne: "q" } })) }],
  ["as many values as a filter holds", ofAddresses({ $nin: Array.from({ length: 900 }, (_, n) => n) })],
  ["as many texts as a filter holds", ofAddresses(Array.from({ length: 550 }, (_, n) => n.toString(36)))],
])("a filter costs at most 10 times what reading the largest event costs: %s", async (_name, filter) => {
  const parsed = parseFilter(filter);
  if (!parsed.ok) throw new Error(parsed.problems.join(" "));
  await database.query("create table if not exists largest as select $1::text as payload", [JSON.stringify(LARGEST)]);
  const reading = await fastest("select jsonb_typeof(payload::jsonb) from largest", []);
  const filtering = await fastest("select payload::jsonb @@ $1::jsonpath from largest", [parsed.path]);
  expect(filtering).toBeLessThan(10 * reading);
});

/** As many small values as the attributes of a contact may hold: little to read, and each is compared with each condition. */
const MANY_VALUES = [1, "a", { a: 1 }, [1, 1, 1]].map((item) =>
  Array.from({ length: Math.floor(16_000 / (JSON.stringify(item).length + 1)) }, () => item),
);
const ofValue = (leaf: unknown) => ({ data: { attributes: { value: leaf } } });
/** 42 was the most that was measured: less than one for each condition. */
const READINGS_MAX = 100;

it.each([
  ["48 values to differ from", { $and: Array.from({ length: 48 }, () => ofValue({ $ne: 2 })) }],
  ["48 members to differ from", { $and: Array.from({ length: 48 }, () => ofValue({ a: { $ne: 2 } })) }],
  ["24 negated comparisons", { $and: Array.from({ length: 24 }, () => ofValue({ $not: { $gt: "z" } })) }],
  ["as many numbers as a filter holds", ofValue({ $nin: Array.from({ length: 900 }, (_, n) => n + 2) })],
])("a filter costs at most 100 times what reading an array of small values costs: %s", async (_name, filter) => {
  const parsed = parseFilter(filter);
  if (!parsed.ok) throw new Error(parsed.problems.join(" "));
  for (const value of MANY_VALUES) {
    const payload = JSON.stringify({ type: "contact.created", data: { attributes: { value } } });
    const one = "from (select $1::text as payload offset 0) event";
    const reading = await fastest(`select jsonb_typeof(payload::jsonb) ${one}`, [payload]);
    const filtering = await fastest(`select payload::jsonb @@ $2::jsonpath ${one}`, [payload, parsed.path]);
    expect(filtering).toBeLessThan(READINGS_MAX * reading);
  }
});

/** The rules once more, read from the documentation, without SQL. */
function plainMatch(filter: unknown, event: unknown, path: readonly string[]): boolean {
  const values = valuesAt(event, path);
  if (typeof filter !== "object" || filter === null || Array.isArray(filter))
    return values.some((found) => [filter].flat().includes(found));
  const entries = Object.entries(filter);
  const positive = entries.filter(([key]) => key in TESTS);
  if (positive.length > 0 && !values.some((found) => positive.every(([key, given]) => TESTS[key]?.(found, given))))
    return false;
  return entries.every(([key, given]) => {
    if (key in TESTS) return true;
    if (key === "$ne") return !values.includes(given);
    if (key === "$nin") return !values.some((found) => (given as unknown[]).includes(found));
    if (key === "$exists") return values.length > 0 === given;
    if (key === "$and") return (given as unknown[]).every((inner) => plainMatch(inner, event, path));
    if (key === "$or") return (given as unknown[]).some((inner) => plainMatch(inner, event, path));
    if (key === "$not") return !plainMatch(given, event, path);
    return plainMatch(given, event, [...path, key]);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the values of a random event have every type.
const TESTS: Record<string, (found: any, given: any) => boolean> = {
  $eq: (found, given) => found === given,
  $in: (found, given) => given.includes(found),
  $gt: (found, given) => typeof found === typeof given && found > given,
  $gte: (found, given) => typeof found === typeof given && found >= given,
  $lt: (found, given) => typeof found === typeof given && found < given,
  $lte: (found, given) => typeof found === typeof given && found <= given,
  $startsWith: (found, given) => typeof found === "string" && found.startsWith(given),
};

function valuesAt(event: unknown, path: readonly string[]): unknown[] {
  let found = [event];
  for (const name of path)
    found = found.flat().flatMap((inner) => (isRecord(inner) && Object.hasOwn(inner, name) ? [inner[name]] : []));
  return found.flat();
}

const isRecord = (found: unknown): found is Record<string, unknown> => typeof found === "object" && found !== null;
