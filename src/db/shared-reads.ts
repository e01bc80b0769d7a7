/** This many equal reads run concurrently; further ones wait for the next, which they share. */
const IN_FLIGHT_MAX = 2;

interface EqualReads {
  inFlight: number;
  /** Has not started: every equal read that arrives until it does gets its rows. */
  next: Promise<object[]> | null;
  startNext: (() => void) | null;
}

/**
 * Lets equal reads that wait at the same time share one statement: after an event, everybody who has a list open reads
 * it again. This is no cache: a read joins only a statement that has not started yet, so it sees everything that was
 * committed before it was requested.
 */
export function createSharedReads() {
  const readsByKey = new Map<string, EqualReads>();

  function start(key: string, reads: EqualReads, read: () => Promise<object[]>): Promise<object[]> {
    reads.inFlight++;
    return read().finally(() => {
      reads.inFlight--;
      reads.startNext?.();
      if (reads.inFlight === 0) readsByKey.delete(key);
    });
  }

  function joinNext(key: string, reads: EqualReads, read: () => Promise<object[]>): Promise<object[]> {
    reads.next ??= new Promise((resolve) => {
      reads.startNext = () => {
        reads.next = null;
        reads.startNext = null;
        resolve(start(key, reads, read));
      };
    });
    return reads.next;
  }

  return {
    /** The rows may go to several callers: none of them may change a row. */
    run<T extends object>(key: string, read: () => Promise<T[]>): Promise<T[]> {
      let reads = readsByKey.get(key);
      if (!reads) {
        reads = { inFlight: 0, next: null, startNext: null };
        readsByKey.set(key, reads);
      }
      const rows = reads.inFlight < IN_FLIGHT_MAX ? start(key, reads, read) : joinNext(key, reads, read);
      return rows as Promise<T[]>;
    },
  };
}
