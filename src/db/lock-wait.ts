/** How long a statement waits for a row that another transaction has locked: as long as any, or a tenth of a second. */
export type LockWait = "long" | "short";

const SHORT = "100ms";

/** As a statement: for the rest of its transaction. */
export const SHORTEN_LOCK_WAIT = `select set_config('lock_timeout', '${SHORT}', true)`;

/**
 * A CTE that a statement begins with, and reads from (`lock_wait`) before it locks anything. `:lockTimeout` null: as
 * before.
 */
export const LOCK_WAIT = `lock_wait as materialized (
       select set_config('lock_timeout', coalesce(:lockTimeout::text, current_setting('lock_timeout')), true))`;

export const lockTimeoutOf = (wait: LockWait): string | null => (wait === "short" ? SHORT : null);
