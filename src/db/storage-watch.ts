import { storageProblem } from "./errors.ts";

/** A statement that fails says so at once; that others succeed says nothing, because not every one needs more space. */
const REMEMBERED_MS = 10_000;

/** Remembers for a while that the disk of the database refused a write. */
export function createStorageWatch(now: () => number = () => performance.now()) {
  let last = { what: "", at: Number.NEGATIVE_INFINITY };
  return {
    notice(error: unknown): void {
      const what = storageProblem(error);
      if (what !== null) last = { what, at: now() };
    },
    /** What is wrong with the disk, as a sentence; null: nothing that was noticed lately. */
    problem: (): string | null => (now() - last.at < REMEMBERED_MS ? `The database cannot write: ${last.what}.` : null),
  };
}
