import { createLru } from "../../core/lru.ts";
import { type Lane, laneName } from "../../queue/lane.ts";

const LANES_REMEMBERED = 20_000;
/** A lane whose window was full is worth a claim again after this time, whatever this process has seen of it. */
const FULL_MS = 5_000;

/** Which lanes have as many deliveries in flight as their window allows, so that a claim from them would bring nothing. */
export function createFullWindows() {
  const full = createLru<string, true>(LANES_REMEMBERED, { ttl: FULL_MS });
  /** They get their next turn when one of their attempts here has ended. */
  const waiting = new Set<string>();
  const roomSinceClaim = new Set<string>();
  return {
    /** A claim starts: what gets room from now on, it may not see. */
    claimStarts: (): void => roomSinceClaim.clear(),
    gotRoomSinceClaim: (lane: Lane): boolean => roomSinceClaim.has(laneName(lane)),
    /** It is full, according to a claim. That is forgotten after a while. */
    markFull: (lane: Lane): void => void full.set(laneName(lane), true),
    isFull: (lane: Lane): boolean => full.has(laneName(lane)),
    /** It is full, and one of its attempts here will end. */
    waitForRoom: (lane: Lane): void => void waiting.add(laneName(lane)),
    isWaiting: (lane: Lane): boolean => waiting.has(laneName(lane)),
    /** It has room. Returns whether it was waiting for that. */
    clear(lane: Lane): boolean {
      const name = laneName(lane);
      full.delete(name);
      roomSinceClaim.add(name);
      return waiting.delete(name);
    },
  };
}
