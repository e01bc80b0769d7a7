import { LRUCache } from "lru-cache";
import { type Lane, laneName } from "../queue/lane.ts";

/** Which lanes have as many deliveries in flight as their window allows, so that a claim from them would bring nothing. */
interface FullWindows {
  /** A claim starts: what gets room from now on, it may not see. */
  claimStarts(): void;
  /** It may be full: it brought less than asked for, and has at least the smallest window in flight here. */
  suspect(lane: Lane): void;
  /** It is full, says the claim. Returns false if it has got room since the claim started. */
  mark(lane: Lane, heldHere: "some" | "none"): boolean;
  /** It has room. Returns whether it has waited for that. */
  clear(lane: Lane): boolean;
  has(lane: Lane): boolean;
}

const LANES_REMEMBERED = 20_000;
/** A lane whose window was full is worth a claim again after this time, whatever this process has seen of it. */
const FULL_MS = 5_000;

export function createFullWindows(): FullWindows {
  const full = new LRUCache<string, true>({ max: LANES_REMEMBERED, ttl: FULL_MS });
  /** They get their next turn when one of their attempts here has ended. */
  const waiting = new Set<string>();
  const roomSinceClaim = new Set<string>();
  return {
    claimStarts: () => roomSinceClaim.clear(),
    suspect: (lane) => void waiting.add(laneName(lane)),
    mark(lane, heldHere) {
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
