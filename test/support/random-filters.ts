import fc from "fast-check";

/** Values that messages of a test have, and some that none has. */
const literal = fc.constantFrom<unknown>(
  "in",
  "out",
  "hello",
  "other",
  "",
  true,
  false,
  null,
  1,
  2,
  7,
  "contact",
  "api_key",
);
const comparable = fc.constantFrom<unknown>("in", "hello", "b", "", 0, 2, 5);
const leaf = fc.oneof(
  literal,
  fc.array(literal, { minLength: 1, maxLength: 12 }),
  literal.map(($ne) => ({ $ne })),
  fc.array(literal, { minLength: 1, maxLength: 3 }).map(($nin) => ({ $nin })),
  fc.record({ $gte: comparable, $lt: comparable }),
  comparable.map(($gt) => ({ $not: { $gt } })),
  fc.boolean().map(($exists) => ({ $exists })),
  fc.constantFrom("h", "o", "").map(($startsWith) => ({ $startsWith })),
);
const member = fc.constantFrom("direction", "private", "body", "seq", "email", "mentions", "attachments", "nothing");
const ofData = fc.dictionary(member, leaf, { minKeys: 1, maxKeys: 2 }).map((data) => ({ data }));
const ofSender = leaf.map((type) => ({ data: { sender: { type } } }));
const simple = fc.oneof(ofData, ofSender);

/** Filters of messages, each of which the API accepts. */
export const randomFilters = (count: number, seed: number): object[] =>
  fc.sample(
    fc.oneof(
      { weight: 4, arbitrary: simple },
      { weight: 1, arbitrary: simple.map(($not) => ({ $not })) },
      { weight: 1, arbitrary: fc.array(simple, { minLength: 2, maxLength: 3 }).map(($or) => ({ $or })) },
      { weight: 1, arbitrary: fc.array(simple, { minLength: 2, maxLength: 3 }).map(($and) => ({ $and })) },
    ),
    { numRuns: count, seed },
  );
