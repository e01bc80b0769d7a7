import { afterAll, beforeAll, expect, it } from "vitest";
import { startParley, type TestParley } from "../support/parley.ts";

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley.close());

it("no statement is planned with parallel workers, a whole table or compilation, however large it is", async () => {
  const names = ["max_parallel_workers_per_gather", "enable_seqscan", "jit"];
  const statement = {
    name: "",
    text: `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(", ")}`,
  };
  expect(await parley.app.store.db.query(statement)).toEqual([
    { max_parallel_workers_per_gather: "0", enable_seqscan: "off", jit: "off" },
  ]);
});
