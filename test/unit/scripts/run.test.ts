import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

const RUN = new URL("../../../scripts/lib/run.mjs", import.meta.url).href;
/** Like npm, which first puts back what it has moved. */
const STUBBORN = 'process.on("SIGINT", () => {}); setTimeout(() => {}, 60_000); console.log("started")';

it("an interrupted set-up says that it stops, and does not wait for a command that does not", {
  timeout: 20_000,
}, async () => {
  const script = `
    const { run } = await import(${JSON.stringify(RUN)});
    await run(process.execPath, ["-e", ${JSON.stringify(STUBBORN)}], { show: true, killAfterMs: 200 });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  const ended = once(child, "exit");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  await once(child.stdout, "data");
  child.kill("SIGINT");
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  expect(said).toBe("Stopping …\n");
});
