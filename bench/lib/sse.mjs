import { request } from "node:http";

/**
 * Reads a stream of events until it is closed. Without a pool: each stream is a connection of its own, as in browsers.
 *
 * @param {string} url
 * @param {{ headers: Record<string, string>, onFrame: (frame: { event: string, data: any }) => void }} options
 */
export function readStream(url, { headers, onFrame }) {
  const call = request(url, { agent: false, headers });
  const opened = new Promise((resolve, reject) => {
    call.once("error", reject);
    call.once("response", (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} responded with ${response.statusCode}`));
      let rest = "";
      response.setEncoding("utf8");
      response.on("error", () => {});
      response.on("data", (chunk) => {
        const blocks = (rest + chunk).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) pass(block, onFrame);
      });
      resolve();
    });
  });
  call.on("error", () => {});
  call.end();
  return { opened, close: () => call.destroy() };
}

function pass(block, onFrame) {
  const field = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  const data = field("data");
  if (data !== undefined) onFrame({ event: field("event") ?? "", data: JSON.parse(data) });
}
