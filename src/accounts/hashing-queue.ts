import { unavailable } from "../core/errors.ts";

/** Whose turn it is to have a password computed. */
export interface HashingTurn {
  /** The client's address; all users behind it share its turns. */
  address: string;
  /** The browser has signed this person in before: it goes first. */
  isKnownDevice: boolean;
}

interface Waiter {
  start(): void;
  refuse(error: Error): void;
}

type Line = Map<string, Waiter[]>;

/**
 * At most `concurrency` computations at once, and one fewer of one address, so that an address that sends a hundred guesses
 * leaves a slot for the others. Known devices are exempt from that and go first; within each line the addresses take
 * turns. When the queue is full, the newest waiter of the longest line is refused.
 *
 * Not core/fair-queue.ts, which has one line per key and a bound on each: here known devices go before all others, and one
 * bound on all waiters decides at whose cost a new one is admitted.
 */
export function createHashingQueue({ concurrency, waitingMax }: { concurrency: number; waitingMax: number }) {
  const known: Line = new Map();
  const others: Line = new Map();
  const perAddress = Math.max(1, concurrency - 1);
  const runningBy = new Map<string, number>();
  let running = 0;
  let waiting = 0;

  const hasRoom = (address: string): boolean => (runningBy.get(address) ?? 0) < perAddress;

  function begin(address: string): void {
    running++;
    runningBy.set(address, (runningBy.get(address) ?? 0) + 1);
  }

  function enter({ address, isKnownDevice }: HashingTurn): Promise<void> {
    if (running < concurrency && (isKnownDevice || hasRoom(address))) {
      begin(address);
      return Promise.resolve();
    }
    const line = isKnownDevice ? known : others;
    if (waiting >= waitingMax && !refuseLongest(line.get(address)?.length ?? 0)) return Promise.reject(tooBusy());
    return new Promise<void>((start, refuse) => {
      waiting++;
      const waiters = line.get(address);
      if (waiters) waiters.push({ start, refuse });
      else line.set(address, [{ start, refuse }]);
    });
  }

  /** Makes room for a caller whose address has fewer waiters than the longest line of unknown devices. */
  function refuseLongest(ownLength: number): boolean {
    const longest = [...others.entries()].reduce<[string, Waiter[]] | null>(
      (best, entry) => (best === null || entry[1].length > best[1].length ? entry : best),
      null,
    );
    if (!longest || longest[1].length <= ownLength + 1) return false;
    waiting--;
    longest[1].pop()?.refuse(tooBusy());
    return true;
  }

  function leave(address: string): void {
    running--;
    const left = (runningBy.get(address) ?? 1) - 1;
    if (left > 0) runningBy.set(address, left);
    else runningBy.delete(address);
    const next = takeTurn(known, () => true) ?? takeTurn(others, hasRoom);
    if (!next) return;
    waiting--;
    begin(next.address);
    next.waiter.start();
  }

  return {
    /** Runs the work when its turn has come; rejects with SERVICE_UNAVAILABLE when too many wait. */
    async run<T>(turn: HashingTurn, work: () => Promise<T>): Promise<T> {
      await enter(turn);
      try {
        return await work();
      } finally {
        leave(turn.address);
      }
    },
  };
}

/** The first waiter of the address whose turn it is; the address then goes to the end of the line. */
function takeTurn(line: Line, mayStart: (address: string) => boolean): { address: string; waiter: Waiter } | undefined {
  for (const [address, waiters] of line) {
    if (!mayStart(address)) continue;
    const waiter = waiters.shift();
    line.delete(address);
    if (waiters.length > 0) line.set(address, waiters);
    return waiter && { address, waiter };
  }
  return undefined;
}

const tooBusy = () => unavailable("Too many people are signing in. Try again soon.");
