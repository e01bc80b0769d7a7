import type { Logger } from "../core/logger.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import { type Database, sql } from "../db/database.ts";

const INDEXES = ["messages_search", "conversations_search", "contacts_search"];
const PAUSE_MS = 250;

const cleanStatement = sql(
  "search_clean",
  "select sum(gin_clean_pending_list(name::regclass)) from unnest($1::text[]) as name",
);

/** Moves new rows into the search indexes before a writer finds the list of them full, and has to do it (411–611 ms). */
export const startSearchUpkeep = (db: Database, logger: Logger): Loop =>
  startLoop({
    work: async () => void (await db.query(cleanStatement, [INDEXES])),
    pauseMs: PAUSE_MS,
    onError: (error) => logger.warn({ err: error.message }, "moving new rows into the search indexes failed, retrying"),
  });
