import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import { type Database, sql } from "../db/database.ts";

const INDEXES = ["messages_search", "conversations_search", "contacts_search"];
const PAUSE_MS = 250;
/** After a turn that found nothing: an idle server has little else to do. */
const IDLE_PAUSE_MS = 1_000;

const cleanStatement = sql(
  "search_clean",
  "select sum(gin_clean_pending_list(name::regclass))::int as moved from unnest($1::text[]) as name",
);

/** Moves new rows into the search indexes before a writer finds the list of them full, and has to do it (411–611 ms). */
export function startSearchUpkeep(db: Database, logger: Logger): Loop {
  let isIdle = false;
  return startLoop({
    async work() {
      const [row] = await db.query<{ moved: number }>(cleanStatement, [INDEXES]);
      isIdle = row?.moved === 0;
    },
    pauseMs: () => (isIdle ? IDLE_PAUSE_MS : PAUSE_MS),
    onError: (error) => logger.warn({ err: error.message }, "moving new rows into the search indexes failed, retrying"),
  });
}
