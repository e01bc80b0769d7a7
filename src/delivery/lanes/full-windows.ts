import { createLru } from "../../core/lru.ts";
import { type Lane, laneName } from "../../queue/lane.ts";

/** Which lanes have as many deliveries in flight as their window allows, so that a claim from them would bring nothing. */
interface FullWindows {
  /** A claim starts: what gets room from now on, it may not see. */
  claimStarts(): void;
  /** Whether the lane has got room since the claim started. */
  gotRoomSinceClaim(lane: Lane): boolean;
  /** It is full, according to a claim. */
  markFull(lane: Lane): void;
  /** It is full, and one of its attempts here will end. */
  waitForRoom(lane: Lane): void;
  /** Whether it waits for room. */
  isWaiting(lane: Lane): boolean;
  /** It has room. Returns whether it was waiting for that. */
  clear(lane: Lane): boolean;
  /** Whether it is marked as full, which is forgotten after a while. */
  isFull(lane: Lane): boolean;
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
    gotRoomSinceClaim: (lane) => roomSinceClaim.has(laneName(lane)),
    markFull: (lane) => void full.set(laneName(lane), true),
    waitForRoom: (lane) => void waiting.add(laneName(lane)),
    isWaiting: (lane) => waiting.has(laneName(lane)),
    clear(lane) {
      const name = laneName(lane);
      full.delete(name);
      roomSinceClaim.add(name);
      return waiting.delete(name);
    },
    isFull: (lane) => full.has(laneName(lane)),
  };
}
