import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser as HttpClient, setUp } from "../support/browser.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { launchChromium, openPage } from "./support.ts";

const HOURS = { "24h": 24, "7d": 168 } as const;

let parley: TestParley;
let browser: Browser;
let owner: HttpClient;
let keyId: number;
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), launchChromium()]);
  owner = await setUp(parley);
  keyId = (await parley.createKey({ name: "Counted" })).id;
  await parley.database.query(
    `insert into api_key_usage (workspace_id, api_key_id, hour, requests, errors_4xx, errors_5xx)
     select workspace_id, id, date_trunc('hour', now(), 'UTC') - make_interval(hours => n), 1000 + n * 13, n % 11, n % 5
     from api_keys, generate_series(0, 400) as n where id = $1`,
    [keyId],
  );
});
afterAll(async () => {
  await browser?.close();
  await parley?.close();
});

describe("the usage chart of a key", () => {
  it.each(Object.entries(HOURS))("shows for %s what SQL counts, hour by hour", async (range, hours) => {
    const counted = await parley.database.query<{ ok: string; refused: string; failed: string }>(
      `select requests - errors_4xx - errors_5xx as ok, errors_4xx as refused, errors_5xx as failed from api_key_usage
       where api_key_id = $1 and hour > date_trunc('hour', now(), 'UTC') - make_interval(hours => $2) order by hour`,
      [keyId, hours],
    );
    const { page, close } = await openPage(browser, parley, { as: owner });
    await page.goto(`/settings/api-keys/${keyId}?range=${range}`);
    await page.getByText("Show as a table").click();
    const cells = await page.getByRole("region", { name: "Requests, as a table" }).locator("td").allTextContents();
    const numbers = cells.map((cell) => Number(cell.replaceAll(",", "")));
    expect(numbers).toEqual(counted.flatMap(({ ok, refused, failed }) => [ok, refused, failed].map(Number)));
    const total = (name: "ok" | "refused" | "failed") => counted.reduce((sum, row) => sum + Number(row[name]), 0);
    const count = (value: number) => value.toLocaleString("en");
    const name = `Requests: ${count(total("ok"))} successful, ${count(total("refused"))} refused (4xx), ${count(total("failed"))} failed (5xx).`;
    await expect.poll(() => page.getByRole("img", { name }).count()).toBe(1);
    await close();
  });
});
