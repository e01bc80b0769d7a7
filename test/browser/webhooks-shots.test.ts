import { expect, it } from "vitest";
import { setUp } from "../support/browser.ts";
import { answer } from "../support/receiver.ts";
import { startWebhookFixture } from "../support/webhook-fixture.ts";
import { accessibilityFaults, launchChromium, openPage, overflows } from "./support.ts";
import { seedAttempts } from "./webhooks-seed.ts";

it("shots", async () => {
  const f = await startWebhookFixture({ PARLEY_RETRY_SCHEDULE: "30" });
  const browser = await launchChromium();
  const owner = await setUp(f.parley);
  const problems: string[] = [];
  const shot = async (name: string, path: string, act?: (p: any) => Promise<unknown>) => {
    for (const [w, h] of [
      [1280, 800],
      [390, 844],
    ] as const)
      for (const colorScheme of ["light", "dark"] as const) {
        const win = await openPage(browser, f.parley, { as: owner, colorScheme, viewport: { width: w, height: h } });
        try {
          await win.page.goto(path, { waitUntil: "networkidle" });
          await act?.(win.page);
          await win.page.waitForTimeout(300);
          await win.page.screenshot({
            path: `/tmp/shots/${name}-${w}-${colorScheme}.png`,
            fullPage: !name.startsWith("attempt") && !name.startsWith("dialog") && !name.startsWith("log10k"),
          });
          problems.push(...(await accessibilityFaults(win.page)).map((x) => `${name} ${w} ${colorScheme}: ${x}`));
          if (await overflows(win.page)) problems.push(`${name} ${w} overflows`);
          problems.push(...win.errors.map((x) => `${name}: ${x}`));
        } catch (e) {
          problems.push(`${name} ${w} ${colorScheme}: ${e}`);
          await win.page.screenshot({ path: `/tmp/shots/FAIL-${name}.png` });
        }
        await win.close();
      }
  };
  await shot("empty", "/settings/webhooks");
  const a = await f.createWebhook({
    name: "Orders",
    events: ["message.*", "conversation.created"],
    headers: [{ key: "X-Team", value: "a" }],
  });
  const b = await f.createWebhook({ name: "Analytics pipeline, with a long name for good measure", events: ["*"] });
  const c = await f.createWebhook({ name: "CRM", events: ["contact.*"] });
  await f.createWebhook({ name: "Fresh", events: ["contact.deleted"] });
  await seedAttempts(f.parley, a.id, { count: 1204, failEvery: 60 });
  await seedAttempts(f.parley, b.id, { count: 180, failEvery: 3, hours: 12 });
  await seedAttempts(f.parley, c.id, { count: 9, failEvery: 0, hours: 23 });
  await f.parley.call("POST", `/webhooks/${c.id}/disable`, { body: { reason: "Moving to a new server" } });
  f.receiver.behave(
    answer(
      500,
      { "content-type": "text/html", "x-evil": "<b>x</b>" },
      `<h1>Oops</h1><script>alert(1)</script>\u0000\u001b[31m \u202Eevil ${"🦊".repeat(40)}`,
    ),
    b.path,
  );
  await f.write("hi there");
  const [log] = await f.waitForLogs(b, 181 > 100 ? 1 : 1, "?event_type=message.created&status=failed&per_page=1");
  await shot("list", "/settings/webhooks");
  await shot("search-none", "/settings/webhooks?search=zzz");
  await shot("new", "/settings/webhooks/new");
  await shot("new-errors", "/settings/webhooks/new", async (p) => {
    await p.getByLabel("URL").fill("http://10.0.0.1/x");
    await p.getByRole("button", { name: "Add header" }).click();
    await p.getByLabel("Name of header 1").fill("host");
    await p.getByRole("button", { name: "Create webhook" }).click();
    await p.waitForTimeout(900);
  });
  await shot("edit", `/settings/webhooks/${a.id}/edit`);
  await shot("created", "/settings/webhooks/new", async (p) => {
    await p.getByLabel("Name", { exact: true }).fill("New one");
    await p.getByLabel("URL").fill(f.receiver.url("/new"));
    await p.getByLabel(/All events/).check();
    await p.getByRole("button", { name: "Create webhook" }).click();
    await p.getByText("The webhook is created").waitFor();
    await p.getByRole("button", { name: "Send test" }).click();
    await p.getByText(/Delivered: 200/).waitFor();
  });
  const view = `/settings/webhooks/${a.id}`;
  await shot("log10k", view, (p) => p.getByRole("button", { name: "Send test" }).click());
  await shot("fresh", `/settings/webhooks/${(await f.parley.call("GET", "/webhooks?search=Fresh")).body.data[0].id}`);
  await shot("log10k-failing", `/settings/webhooks/${b.id}?status=failed`);
  await shot("log10k-disabled", `/settings/webhooks/${c.id}`);
  await shot("settings", `${view}?tab=settings`, (p) => p.getByRole("button", { name: "Reveal secret" }).click());
  await shot("attempt", `/settings/webhooks/${b.id}?attempt=${log.id}`);
  const [ok] = (await f.logs(a, "?per_page=1&event_type=contact.created")).data;
  await shot("attempt-ok", `${view}?attempt=${ok.id}`);
  const menu = (item: RegExp) => async (p: any) => {
    await p.getByRole("button", { name: "More actions" }).click();
    await p.getByRole("menuitem", { name: item }).click();
  };
  await shot("dialog-recover", `/settings/webhooks/${b.id}`, menu(/Recover/));
  await shot("dialog-disable", view, menu(/Disable/));
  await shot("dialog-delete", view, menu(/Delete/));
  await shot("dialog-rotate", view, async (p) => {
    await menu(/Rotate/)(p);
  });
  await shot("dialog-rotated", view, async (p) => {
    await menu(/Rotate/)(p);
    await p.getByRole("button", { name: "Rotate secret" }).click();
    await p.locator("[data-secret]").waitFor();
  });
  await browser.close();
  await f.close();
  console.log([...new Set(problems)].join("\n"));
  expect(problems.length).toBe(0);
}, 600_000);
