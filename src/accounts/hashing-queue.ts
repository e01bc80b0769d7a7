import { unavailable } from "../core/errors.ts";

/** Whose turn it is to have a password computed. */
export interface HashingTurn {
  /** The client's address; everybody behind it shares its turns. */
  address: string;
  /** The browser has signed this person in before: it goes first. */
  isKnownDevice: boolean;
}

interface HashingQueue {
  /** Runs the work when its turn has come; rejects with SERVICE_UNAVAILABLE when too many wait. */
  run<T>(turn: HashingTurn, work: () => Promise<T>): Promise<T>;
}

interface Waiter {
  start(): void;
  refuse(error: Error): void;
}

type Line = Map<string, Waiter[]>;

/**
 * At most `concurrency` computations at once. Known devices go first; within each line the addresses take turns, so one
 * address that sends a hundred guesses delays another by one computation. When the queue is full, the newest waiter of
 * the longest line is refused.
 */
export function createHashingQueue({
  concurrency,
  waitingMax,
}: {
  concurrency: number;
  waitingMax: number;
}): HashingQueue {
  const known: Line = new Map();
  const others: Line = new Map();
  let running = 0;
  let waiting = 0;

  function enter({ address, isKnownDevice }: HashingTurn): Promise<void> {
    if (running < concurrency) {
      running++;
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

  /** Makes room for somebody whose address has fewer waiters than the longest line of strangers. */
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

  /** A slot is handed on directly: `running` falls only when nobody waits. */
  function leave(): void {
    const next = takeTurn(known) ?? takeTurn(others);
    if (!next) {
      running--;
      return;
    }
    waiting--;
    next.start();
  }

  return {
    async run(turn, work) {
      await enter(turn);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

/** The first waiter of the address whose turn it is; the address then goes to the end of the line. */
function takeTurn(line: Line): Waiter | undefined {
  for (const [address, waiters] of line) {
    const next = waiters.shift();
    line.delete(address);
    if (waiters.length > 0) line.set(address, waiters);
    return next;
  }
  return undefined;
}

const tooBusy = () => unavailable("Too many people are signing in. Try again soon.");
