// How smoothly the inbox scrolls in a real browser: a list of 10,000 conversations and a thread of 5,000 messages, both loaded
// whole and then scrolled for some hundred frames. Bars: the 95th percentile of the time between frames, at most 25 ms.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM_ARGS, ensureChromium } from "../scripts/lib/chromium.mjs";
import { gotoSettled } from "../scripts/lib/settled.mjs";
import { fillWorkspace } from "./lib/inbox-rows.mjs";
import { ROOT, startProduct } from "./lib/processes.mjs";
import { conclude, table } from "./lib/report.mjs";
import { connectTo } from "./lib/rows.mjs";

const CONVERSATIONS = Number(process.env.BENCH_CONVERSATIONS ?? 10_000);
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 5_000);
const FRAMES = 600;
const FRAME_MS_MAX = 25;
const PX_PER_FRAME = 120;
const ROW_PX = 64;
const LOAD_MS_MAX = 240_000;

const product = await startProduct({ PARLEY_LOG_LEVEL: "warn" });
const sql = await connectTo(product);
// Nine of ten conversations are resolved, and those are the list.
const conversations = Math.ceil(CONVERSATIONS / 0.9);
await fillWorkspace(sql, 1, { contacts: 1_000, conversations, messages: conversations * 2 });
const threadId = await longThread();
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: CHROMIUM_ARGS });
const page = await signedIn();

const results = {
  "list of conversations": await measure("/w/1/inbox?view=resolved", {
    scroller: ':not(svg)[aria-label="Resolved"]',
    loadBy: "end",
    from: "start",
    last: "text=End of list",
  }),
  "thread of messages": await measure(`/w/1/inbox/${threadId}`, {
    scroller: '[role="log"]',
    loadBy: "start",
    from: "end",
    last: "[data-seq='1']",
  }),
};

table([
  ["what scrolls", "rows", "frames", "p50 ms", "p95 ms", "p99 ms", "longest ms"],
  ...Object.entries(results).map(([name, { rows, frames }]) => [
    name,
    rows.toLocaleString("en"),
    frames.length,
    ...[0.5, 0.95, 0.99, 1].map((share) => quantile(frames, share).toFixed(1)),
  ]),
]);
conclude(
  "frames",
  results,
  Object.entries(results).map(([name, { frames }]) => ({
    text: `${name}: 95th percentile of a frame ${quantile(frames, 0.95).toFixed(1)} ms (bar ${FRAME_MS_MAX} ms)`,
    met: quantile(frames, 0.95) <= FRAME_MS_MAX,
  })),
);
await browser.close();
await sql.end();
await product.stop();

/** A conversation of its own, with messages as long as people write them. */
async function longThread() {
  const { id } = await product.call("POST", "/conversations", { subject: "A long story", contact: { name: "Ada" } });
  await sql.query(
    `insert into messages (workspace_id, uuid, conversation_id, seq, direction, sender_type, body, created_at, updated_at)
     select 1, gen_random_uuid(), $1, n, case when n % 3 = 0 then 'out' else 'in' end,
       case when n % 3 = 0 then 'api_key' else 'contact' end, repeat('Some words about the order. ', 1 + n % 9),
       now() - make_interval(mins => $2::int - n), now()
     from generate_series(1, $2::int) n`,
    [id, MESSAGES],
  );
  await sql.query(
    "update conversations set last_seq = $2, last_message_at = now() where workspace_id = 1 and id = $1",
    [id, MESSAGES],
  );
  await sql.query("vacuum (analyze)");
  return id;
}

async function signedIn() {
  const args = ["users", "create", "--name", "Olive", "--email", "olive@example.com", "--role", "owner", "--json"];
  const env = { ...process.env, PARLEY_DATA_DIR: product.dataDir };
  const output = execFileSync(process.execPath, [join(ROOT, "bin", "parley.mjs"), ...args], { env, encoding: "utf8" });
  const { password } = JSON.parse(output);
  const context = await browser.newContext({ baseURL: product.url, viewport: { width: 1400, height: 900 } });
  const response = await context.request.post("/dashboard-api/sign-in", {
    data: { email: "olive@example.com", password },
    headers: { origin: product.url },
  });
  if (!response.ok()) throw new Error(`Signing in received ${response.status()}: ${await response.text()}`);
  return context.newPage();
}

/** Loads everything by jumping to the end where more is loaded, then scrolls from one end at a steady pace. */
async function measure(address, { scroller, loadBy, from, last }) {
  await gotoSettled(page, address);
  const list = page.locator(scroller);
  await list.waitFor();
  const deadline = performance.now() + LOAD_MS_MAX;
  while ((await page.locator(last).count()) === 0) {
    if (performance.now() > deadline) throw new Error(`${address} is not loaded whole after ${LOAD_MS_MAX} ms`);
    await list.evaluate((element, end) => {
      element.scrollTop = end === "end" ? element.scrollHeight : 0;
    }, loadBy);
  }
  const rows = await list.evaluate((element, rowPx) => Math.round(element.scrollHeight / rowPx), ROW_PX);
  const frames = await page.evaluate(
    ([selector, start, count, px]) =>
      new Promise((done) => {
        const element = document.querySelector(selector);
        element.scrollTop = start === "start" ? 0 : element.scrollHeight;
        const times = [];
        let before;
        const frame = (now) => {
          if (before !== undefined) times.push(now - before);
          before = now;
          element.scrollTop += start === "start" ? px : -px;
          if (times.length < count) requestAnimationFrame(frame);
          else done(times);
        };
        // The jump to the start is not part of the scrolling.
        setTimeout(() => requestAnimationFrame(frame), 500);
      }),
    [scroller, from, FRAMES, PX_PER_FRAME],
  );
  return { rows: scroller.includes("log") ? MESSAGES : rows, frames };
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
