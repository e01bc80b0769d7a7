// What the statements of the queue take inside the database, from pg_stat_statements.
import { startProduct } from "./processes.mjs";
import { connectTo } from "./rows.mjs";

/** How they are distinguished. */
const PATTERNS = {
  claim: "%lane.room%skip locked%",
  settle: "%insert into delivery_attempts%",
  discover: "with recursive waiting%",
};

/** Starts the product again with the extension, which has to be loaded at the start of the server. */
export async function watchStatements(product, serveArgs = []) {
  await run(product, "alter system set shared_preload_libraries = 'pg_stat_statements'");
  await product.stop();
  const again = await startProduct({ PARLEY_DATA_DIR: product.dataDir, PARLEY_LOG_LEVEL: "warn" }, { serveArgs });
  await run(again, "create extension pg_stat_statements");
  return again;
}

async function run(product, statement) {
  const sql = await connectTo(product);
  await sql.query(statement);
  await sql.end();
}

export const resetStatements = (sql) => sql.query("select pg_stat_statements_reset()");

/** Milliseconds, pages looked at and calls since the reset. Pages do not depend on how busy the machine is. */
export async function statementCosts(sql) {
  const found = {};
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    const { rows } = await sql.query(
      `select coalesce(sum(total_exec_time), 0) as ms, coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int as pages,
         coalesce(sum(calls), 0)::int as calls
       from pg_stat_statements where query ilike $1 and query not ilike '%pg_stat_statements%'`,
      [pattern],
    );
    if (rows[0].calls === 0) throw new Error(`no statement of the database looks like ${pattern}`);
    found[name] = rows[0];
  }
  return found;
}
