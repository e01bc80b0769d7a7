import type pg from "pg";

/** One transaction; what fails in it is rolled back. */
export async function inTransaction(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await client.query("begin");
  try {
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}
