import { createLru } from "../core/lru.ts";
import { type Lane, laneName } from "../queue/lane.ts";

/** Which lanes have as many deliveries in flight as their window allows, so that a claim from them would bring nothing. */
interface FullWindows {
  /** A claim starts: what gets room from now on, it may not see. */
  claimStarts(): void;
  /** It may be full: a claim brought less than asked for, and at least the smallest window is in flight here. */
  markMaybeFull(lane: Lane): void;
  /** It is full, says the claim. Returns false if it has got room since the claim started. */
  markFull(lane: Lane, heldHere: "some" | "none"): boolean;
  /** It has room. Returns whether it was waiting for room. */
  clear(lane: Lane): boolean;
  has(lane: Lane): boolean;
}

const LANES_REMEMBERED = 20_000;
/** A lane whose window was full is worth a claim again after this time, whatever this process has seen of it. */
const FULL_MS = 5_000;

export function createFullWindows(): FullWindows {
  const full = createLru<string, true>(LANES_REMEMBERED, { ttl: FULL_MS });
  /** They get their next turn when one of their attempts here has ended. */
  const waiting = new Set<string>();
  const roomSinceClaim = new Set<string>();
  return {
    claimStarts: () => roomSinceClaim.clear(),
    markMaybeFull: (lane) => void waiting.add(laneName(lane)),
    markFull(lane, heldHere) {
      const name = laneName(lane);
      if (roomSinceClaim.has(name)) return false;
      full.set(name, true);
      if (heldHere === "some") waiting.add(name);
      return true;
    },
    clear(lane) {
      const name = laneName(lane);
      full.delete(name);
      roomSinceClaim.add(name);
      return waiting.delete(name);
    },
    has: (lane) => full.has(laneName(lane)),
  };
}
