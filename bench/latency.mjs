// From the writing of a message to its arrival, with nothing else going on: p50 at most 10 ms, p99 at most 50 ms. A bare
// POST to the same sink, in the same run, shows how much of it is the machine.
import { quantile } from "./lib/load.mjs";
import { freePort, start, startProduct, stop, waitForHttp } from "./lib/processes.mjs";
import { conclude, table } from "./lib/report.mjs";

const COUNT = Number(process.env.BENCH_COUNT ?? 300);
const port = await freePort();
const sinkUrl = `http://127.0.0.1:${port}`;
const sink = start("bench/lib/sink.mjs", [String(port)]);
await waitForHttp(sinkUrl);
const product = await startProduct({ PARLEY_LOG_LEVEL: "warn" });
await product.call("POST", "/webhooks", { name: "hook", url: `${sinkUrl}/hook`, events: ["message.created"] });
const { id } = await product.call("POST", "/conversations", { subject: "latency" });
const micros = () => Math.round((performance.timeOrigin + performance.now()) * 1_000);

const write = () => product.call("POST", `/conversations/${id}/messages`, { body: `sent-at:${micros()}` });
const bare = () =>
  fetch(`${sinkUrl}/bare`, { method: "POST", body: `sent-at:${micros()}` }).then((response) => response.text());

async function collect(send) {
  for (let i = 0; i < 20; i++) await send();
  await arrived(20);
  await fetch(`${sinkUrl}/reset`, { method: "POST" });
  for (let i = 0; i < COUNT; i++) {
    await send();
    await arrived(i + 1);
  }
  return (await (await fetch(`${sinkUrl}/times`)).json()).times.sort((a, b) => a - b);
}

async function arrived(count) {
  const deadline = performance.now() + 10_000;
  while ((await (await fetch(`${sinkUrl}/stats`)).json()).count < count)
    if (performance.now() > deadline) throw new Error("a delivery did not arrive");
}

const machine = await collect(bare);
const ours = await collect(write);
const p50 = quantile(ours, 0.5);
const p99 = quantile(ours, 0.99);
table([
  ["from sending to arrival", "p50 ms", "p99 ms"],
  ["bare POST to the sink", quantile(machine, 0.5).toFixed(1), quantile(machine, 0.99).toFixed(1)],
  ["POST message → delivery", p50.toFixed(1), p99.toFixed(1)],
]);
conclude("latency", { bareMs: machine, deliveryMs: ours }, [
  {
    text: `p50 ${p50.toFixed(1)} ms from the request to the arrival, which includes the write (bar 10 ms)`,
    met: p50 <= 10,
  },
  { text: `p99 ${p99.toFixed(1)} ms (bar 50 ms)`, met: p99 <= 50 },
]);
await product.stop();
await stop(sink);
