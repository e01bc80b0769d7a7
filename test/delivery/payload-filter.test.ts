import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { matchesSql, parseFilter } from "../../src/events/payload-filter.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const CASES = 400;

/** As each event is, and as each would be next to a long list: both have to give the same result. */
async function matches(cases: readonly { filter: unknown; event: object }[]): Promise<boolean[]> {
  const events = cases.map(({ event }) => event);
  const paths = cases.map(({ filter }) => {
    const parsed = parseFilter(filter);
    if (!parsed.ok) throw new Error(parsed.problems.join(" "));
    return parsed.path;
  });
  const rows = await database.query<{ matches: boolean }>(
    `select path is null or ${matchesSql("event", "path")} as matches
     from unnest($1::jsonpath[], $2::text[]) with ordinality as given (path, event, position)
     order by position`,
    [[...paths, ...paths], [...events, ...events.map(withList)].map((event) => JSON.stringify(event))],
  );
  const found = rows.map((row) => row.matches);
  expect(cases.filter((_, index) => found[index] !== found[index + cases.length])).toEqual([]);
  return found.slice(0, cases.length);
}

/** The same event for a filter, but one that is searched in the other way. */
const withList = (event: object): object => ({ ...event, list: Array.from({ length: 9 }, () => "element") });

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

it("the longest literal of a filter is compared to its end", async () => {
  const ofLength = (length: number) => ({ data: { body: "a".repeat(length) } });
  const refused = parseFilter(ofLength(100_000));
  const bytes = Number(/(\d+) bytes/.exec(refused.ok ? "" : refused.problems.join())?.[1]);
  const longest = bytes - JSON.stringify(ofLength(0)).length;
  const events = [longest - 1, longest, longest + 1].map(ofLength);
  expect(await matches(events.map((event) => ({ filter: ofLength(longest), event })))).toEqual([false, true, false]);
});

const literal = fc.oneof(
  fc.constantFrom("", "a", "ab", "b", '"', "\\", "ü"),
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constant(null),
);
const name = fc.constantFrom("a", "b", 'c"', "d e", "ü".repeat(40));
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

it.each([0.1, -0.5, 1e21, 1e-7, -1.5e300, 5e-324, 2 ** 64, 100])(
  "a filter finds the number %s in a list, and no other number",
  async (number) => {
    const found = (value: number) =>
      matches(
        [number, [number, 7], { $gte: number, $in: [number, 7] }, { $not: { $ne: number } }].map((leaf) => ({
          filter: { a: leaf },
          event: { a: [3, value] },
        })),
      );
    expect(await found(number)).toEqual([true, true, true, true]);
    expect(await found(number * 1.5)).toEqual([false, false, false, false]);
  },
);

it("a filter finds what lies between two ends in a long list, at the ends of its ranges too", async () => {
  const numbers = Array.from({ length: 300 }, (_, n) => (n * 7) % 300);
  const between = [
    [62.5, 63.5],
    [63, 65],
    [63.2, 63.8],
    [-5, -1],
    [-5, 0.5],
    [298.5, 400],
    [299, 400],
  ] as const;
  const asNumbers = between.map(([$gt, $lt]) => ({ filter: { a: { $gt, $lt } }, event: { a: numbers } }));
  expect(await matches(asNumbers)).toEqual([true, true, false, false, true, true, false]);
  const texts = numbers.map((n) => String(n).padStart(3, "0"));
  const beginnings = ["06", "063", "0630", "", "3", "299", "0"].map(($startsWith) => ({
    filter: { a: { $startsWith } },
    event: { a: texts },
  }));
  expect(await matches(beginnings)).toEqual([true, true, false, true, false, true, true]);
});

/** As much as one message may hold: 1 MiB of text, 1,000 addresses. */
const LARGEST = {
  type: "message.created",
  data: {
    body: "a".repeat(1_048_576),
    value: Array.from({ length: 1_000 }, (_, n) => ({ name: "Ada Lovelace", a: `person-${n}@example.org` })),
  },
};

/** As many as the attributes of a contact may hold: little to read, and each may have to be compared with each condition. */
function manyOf(element: (n: number) => unknown): unknown[] {
  const all: unknown[] = [];
  for (let bytes = 0; bytes < 16_000; bytes += JSON.stringify(all.at(-1)).length + 1) all.push(element(all.length));
  return all;
}
const withValue = (value: unknown) => ({ ...event, data: { ...event.data, value } });
const EVENTS: [name: string, event: object][] = [
  ["as large as can be", LARGEST],
  ["of ordinary size", event],
  ["with a list that is too short to be worth an index", withValue([1, 2, 3])],
  ["with one element more than that", withValue([1, 2, 3, 4])],
  ["of equal numbers", withValue(manyOf(() => 1))],
  ["of different numbers", withValue(manyOf((n) => n))],
  ["of different texts", withValue(manyOf((n) => n.toString(36)))],
  ["of numbers with 309 digits", withValue(manyOf((n) => (n % 2 === 0 ? 1e308 : -1e308 + n * 1e300)))],
  ["of empty objects", withValue(manyOf(() => ({})))],
  ["of objects", withValue(manyOf((a) => ({ a })))],
  ["of lists", withValue(manyOf(() => [1, 1, 1]))],
  ["of members", withValue(Object.fromEntries(manyOf((n) => `k${n}`).map((key, n) => [key, [n, n]])))],
];

const times = (count: number, condition: (n: number) => unknown) =>
  Array.from({ length: count }, (_, n) => condition(n));
const ofValue = (connective: "$and" | "$or", conditions: unknown[]) => ({
  data: { [connective]: conditions.map((value) => ({ value })) },
});
const EXPENSIVE: object[] = [
  ofValue(
    "$and",
    times(48, (n) => ({ $nin: [-1, -2, -3, -4, -5, -6, -7, -8, -9 - n] })),
  ),
  ofValue("$and", [{ $nin: times(750, (n) => n - 799) }]),
  ofValue("$or", [times(550, (n) => `q${n.toString(36)}`)]),
  ofValue(
    "$or",
    times(24, (n) => ({ $gt: 0.5 + n, $lt: 0.7 + n })),
  ),
  ofValue(
    "$or",
    times(24, () => ({ $startsWith: "b", $lt: "b" })),
  ),
  ofValue(
    "$or",
    times(48, (n) => ({ $startsWith: `1zzz${n}` })),
  ),
  ofValue(
    "$and",
    times(24, () => ({ $not: { $gt: "zz" } })),
  ),
  ofValue(
    "$or",
    times(24, () => ({ a: { $gt: 7.1, $lt: 7.2 } })),
  ),
  ofValue(
    "$or",
    times(48, (n) => ({ [`x${n}`]: { y: { $exists: true } } })),
  ),
  ofValue("$and", [
    { $not: ofValue("$or", [{ a: 1 }]) },
    ...times(15, () => ({ $not: { $in: ["q", 1e300, 2e300, null], $gt: 5 } })),
  ]),
];
/** 60 was the most that was measured, with making the event searchable. */
const READINGS_MAX = 100;
const ROUNDS_MAX = 25;
const ONE = "(select $1::text as payload offset 0) event";
const READ = `select count(jsonb_typeof(payload::jsonb)) from ${ONE}, generate_series(1, ${READINGS_MAX})`;
const FILTER = `select ${matchesSql("payload", "filter.path")} from ${ONE}, filter`;

it.each(EVENTS)("a filter costs less than reading the event 100 times: an event %s", async (_name, given) => {
  const payload = JSON.stringify(given);
  for (const filter of EXPENSIVE) {
    const parsed = parseFilter(filter);
    if (!parsed.ok) throw new Error(parsed.problems.join(" "));
    await database.query("drop table if exists filter");
    await database.query("create table filter as select $1::jsonpath as path", [parsed.path]);
    // What else the machine does may fall on either: a filter that is too expensive is so in every round.
    const rounds: string[] = [];
    let isLess = false;
    while (!isLess && rounds.length < ROUNDS_MAX) {
      const reading = await milliseconds(READ, [payload]);
      const filtering = await milliseconds(FILTER, [payload]);
      isLess = filtering < reading;
      rounds.push(`${filtering.toFixed(1)} of ${reading.toFixed(1)} ms`);
    }
    expect(isLess, `${JSON.stringify(filter).slice(0, 200)}: ${rounds.join(", ")}`).toBe(true);
  }
});

async function milliseconds(statement: string, values: unknown[]): Promise<number> {
  const begunAt = performance.now();
  await database.query(statement, values);
  return performance.now() - begunAt;
}

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
