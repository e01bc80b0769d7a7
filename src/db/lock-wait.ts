/** How long a statement waits for a row that another transaction has locked: as long as any, or a tenth of a second. */
export type LockWait = "long" | "short";

/** As a statement: for the rest of its transaction. */
export const SHORTEN_LOCK_WAIT = "select set_config('lock_timeout', '100ms', true)";

/** A CTE that a statement with a short wait begins with, and reads from (`lock_wait`) before it locks anything. */
export const SHORT_LOCK_WAIT = `lock_wait as materialized (${SHORTEN_LOCK_WAIT}),`;
