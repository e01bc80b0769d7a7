import { expect, it } from "vitest";
import { momentsAfter, openings, QUIET_MS } from "../../../src/demo/moments.ts";
import { createRandom } from "../../../src/demo/random.ts";

const NOW = Date.UTC(2026, 6, 14, 10);

it.each([60, 1_500, 10_000])("nothing happens in a conversation of a demo of %d before it begins", (total) => {
  const random = createRandom(1);
  const opened = openings(random, total, NOW);
  expect(opened).toHaveLength(total);
  expect(opened).toEqual([...opened].sort((a, b) => a - b));
  for (const openedAt of opened) {
    const moments = momentsAfter(random, { openedAt, count: 6, until: NOW - QUIET_MS });
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
    expect(moments[0]).toBeGreaterThan(openedAt);
    expect(moments.at(-1)).toBeLessThan(NOW);
  }
});
