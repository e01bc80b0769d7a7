/**
 * Each batch to the command's standard input, one event per line; acknowledged when it exits with 0. Not `npx parley`, which
 * elsewhere gives the key to another package of that name.
 */
export const commandSnippet = (origin: string, name: string): string =>
  `# in a checkout of Parley
export PARLEY_URL=${origin} PARLEY_KEY=<key>
node bin/parley.mjs consume ${name} -- node handle.mjs`;

export const clientSnippet = (origin: string, name: string): string =>
  `import { Parley } from "@parley/client";

const parley = new Parley({ url: "${origin}", key: process.env.PARLEY_KEY ?? "" });
for await (const batch of parley.consumers.read("${name}")) {
  for (const event of batch.events) console.log(event.id, event.type);
  await batch.ack();
}`;

export const curlSnippet = (origin: string, name: string): string =>
  `curl -H "Authorization: Bearer $PARLEY_KEY" "${origin}/api/v1/consumers/${name}/events?wait=20"
curl -X POST ${origin}/api/v1/consumers/${name}/ack \\
  -H "Authorization: Bearer $PARLEY_KEY" -H "Content-Type: application/json" \\
  -d '{ "cursor": "<next_cursor>" }'`;
