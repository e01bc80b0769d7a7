import { randomInt } from "node:crypto";

/**
 * The fault, attack and browser suites have two forms: a short one that is part of `npm test`, and the full one of
 * `npm run test:fault`, `npm run test:security` and `PARLEY_PROOF=full npm test -- test/browser`.
 */
export const full = process.env.PARLEY_PROOF === "full";

/** What the form that runs needs: `scale(2, 20)` kills. */
export const scale = <T>(short: T, inFull: T): T => (full ? inFull : short);

/**
 * How many times as long as on a quiet machine everything may take. In `npm test` several files run at the same time as
 * whatever else the machine does. The full form is exact, and so is `npm run prove`, where most waits end without success.
 */
export const patience = Number(process.env.PARLEY_PATIENCE ?? scale(5, 1));

/** A bar in milliseconds: exact in the full form, `patience` times as long in `npm test`. */
export const atMost = (ms: number): number => ms * patience;

/** The next number of a seeded sequence, from 0 up to but not including 1. */
export interface Random {
  (): number;
  readonly seed: number;
}

/** Chance that can be repeated: says its seed on stderr, and takes it back from `PARLEY_SEED`. */
export function seeded(name: string): Random {
  const seed = Number(process.env.PARLEY_SEED ?? randomInt(2 ** 31));
  process.stderr.write(`${name}: PARLEY_SEED=${seed}\n`);
  let state = seed;
  // Mulberry32: small, and the same everywhere.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return Object.assign(next, { seed });
}
