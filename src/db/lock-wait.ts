/** How long a statement waits for a row that another transaction has locked: as long as any, or a tenth of a second. */
export type LockWait = "long" | "short";

/** A CTE that a statement with a short wait begins with, and reads from (`lock_wait`) before it locks anything. */
export const SHORT_LOCK_WAIT = "lock_wait as materialized (select set_config('lock_timeout', '100ms', true)),";
