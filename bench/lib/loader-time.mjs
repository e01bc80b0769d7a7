import { createServer } from "node:http";
import { chromium } from "playwright-core";
import { CHROMIUM_ARGS, ensureChromium } from "../../scripts/lib/chromium.mjs";

/** A page of another origin than the product's, whose widget it is. */
export async function startPage() {
  let html = "";
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(html);
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  return {
    origin: `http://localhost:${server.address().port}`,
    show({ url, publicId }) {
      const script = `<script async src="${url}/widget.js" data-widget="${publicId}"></script>`;
      html = `<!doctype html><html lang="en"><head><title>Shop</title></head><body>${script}</body></html>`;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Milliseconds of the page's main thread that the loader takes until its button is there, for each of `loads` new pages. */
export async function loaderTimes(address, loads) {
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: CHROMIUM_ARGS });
  const times = [];
  for (let load = 0; load < loads; load++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Profiler.enable");
    await session.send("Profiler.setSamplingInterval", { interval: 100 });
    await session.send("Profiler.start");
    await page.goto(address);
    await page.locator("parley-widget button").waitFor();
    times.push(timeOf((await session.send("Profiler.stop")).profile));
    await context.close();
  }
  await browser.close();
  return times;
}

function timeOf({ nodes, samples = [], timeDeltas = [] }) {
  const isOurs = ({ callFrame }) => /\/widget\.js|\/settings\.js/.test(callFrame.url);
  const own = new Set(nodes.filter(isOurs).map(({ id }) => id));
  return samples.reduce((sum, id, index) => sum + (own.has(id) ? (timeDeltas[index] ?? 0) : 0), 0) / 1_000;
}
