import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The marks of the workspace and of two ranges of ids. */
const MARKS = 3;

async function wordsOf(text: string): Promise<{ words: number; last: number }> {
  const [row] = await database.query<{ words: number; last: number }>(
    `select length(terms) - ${MARKS} as words,
       coalesce((select max(position) from unnest(terms), unnest(positions) position), 0)::integer as last
     from search_terms(1, 1, $1) terms`,
    [text],
  );
  return row as { words: number; last: number };
}

it("A text whose words are all different has at most 12,000 of them in the search index", async () => {
  const text = Array.from({ length: 16_000 }, (_, n) => n.toString(36)).join(" ");
  expect((await wordsOf(text)).words).toBeLessThanOrEqual(12_000);
  expect((await wordsOf(text)).words).toBeGreaterThan(5_000);
});

it("Characters that become many are counted once they have: 21,000 of U+FDFA are 24,000 letters", async () => {
  const { words, last } = await wordsOf("\u{fdfa}".repeat(21_000));
  expect(words).toBeLessThanOrEqual(8);
  expect(last).toBeLessThanOrEqual(24_000 / 4);
});

it("Every word of a text of 24,000 characters is in the search index", async () => {
  const words = Array.from({ length: 4_000 }, (_, n) => `w${String(n).padStart(4, "0")}`);
  const text = words.join(" ");
  expect(text.length).toBeLessThanOrEqual(24_000);
  expect((await wordsOf(text)).words).toBe(4_000);
});
