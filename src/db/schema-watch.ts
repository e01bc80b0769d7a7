import type { Logger } from "../core/logger.ts";
import { startLoop } from "../core/loop.ts";
import { type Database, sql } from "./database.ts";
import { ownSchemaVersion, SCHEMA_CHANNEL } from "./migrate.ts";
import type { Notifications } from "./notifications.ts";

interface SchemaWatchOptions {
  db: Database;
  logger: Logger;
  notifications: Notifications;
  /** Called once. */
  onOutdated: () => Promise<unknown>;
}

/** For what no notification reports: the table has as many rows as there are migrations. */
const POLL_MS = 1_000;

const findTooNew = sql(
  "schema_too_new",
  `select name
   from schema_migrations
   where compatible_from > $1
   order by version
   limit 1`,
);

/** Whether this node can still work with the database, which newer nodes may have migrated meanwhile. */
export function watchSchema({ db, logger, notifications, onOutdated }: SchemaWatchOptions) {
  const own = ownSchemaVersion();
  /** Why it cannot; null: it can. Once it cannot it stays so: only a newer version of Parley can. */
  let problem: string | null = null;

  async function check(): Promise<void> {
    if (problem !== null) return;
    // The version is a number of the code.
    if (!(await db.isDue(`exists (select from schema_migrations where compatible_from > ${own})`))) return;
    const [row] = await db.query<{ name: string }>(findTooNew, [own]);
    if (!row) return;
    problem = `This node runs an older version of Parley, which cannot work with the database since its migration ${row.name}. Upgrade the node.`;
    logger.error(
      { migration: row.name, schema_version: own },
      "this node is too old for the database, it stops writing",
    );
    await onOutdated();
  }

  const loop = startLoop({
    work: check,
    pauseMs: POLL_MS,
    onError: (error) => logger.warn({ err: error.message }, "reading the version of the schema failed, retrying"),
  });
  notifications.open(SCHEMA_CHANNEL, loop.now);
  return { problem: (): string | null => problem, close: loop.close };
}
