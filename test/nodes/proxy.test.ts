import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasOpenssl } from "../support/certificates.ts";
import { debianPackage } from "../support/debian.ts";
import { startParley, TEST_KEY, type TestParley } from "../support/parley.ts";
import { full } from "../support/proof.ts";
import { PUBLIC_HOST, startCaddy, startNginx, type TlsProxy } from "../support/tls-proxy.ts";
import { until } from "../support/wait.ts";

const FILE_BYTES = 25 * 1024 * 1024;
const EVENT_MS_MAX = 1_000;
const LATE_MS_MAX = 5_000;

const packages = full ? { nginx: await debianPackage("nginx-light"), Caddy: await debianPackage("caddy") } : null;
for (const found of Object.values(packages ?? {}))
  if (found.missing) process.stderr.write(`proxy: skipped, ${found.missing}\n`);

let parley: TestParley;
beforeAll(async () => {
  if (!full) return;
  parley = await startParley({
    PARLEY_PUBLIC_URL: `https://${PUBLIC_HOST}`,
    PARLEY_TRUSTED_PROXIES: "127.0.0.1",
    PARLEY_FILE_BYTES_MAX: String(FILE_BYTES),
  });
});
afterAll(() => parley?.close());

const authorization = `Bearer ${TEST_KEY}`;
const json = { authorization, "content-type": "application/json" };
const dataOf = async (reply: { bytes(): Promise<Buffer> }) => JSON.parse((await reply.bytes()).toString()).data;

describe.skipIf(!full || !hasOpenssl()).each([
  ["nginx", startNginx],
  ["Caddy", startCaddy],
] as const)("%s with the settings that we ship", (name, start) => {
  const program = packages?.[name];
  let proxy: TlsProxy;
  beforeAll(async () => {
    if (program?.home) proxy = await start(program, new URL(parley.url).host);
  }, 30_000);
  afterAll(() => proxy?.close());

  it.skipIf(!program?.home)("speaks HTTP/2 and passes requests on, with links to the public address", async () => {
    expect(await proxy.protocol()).toBe("h2");
    const body = Buffer.from(JSON.stringify({ name: "Ada" }));
    expect((await proxy.send("POST", "/api/v1/contacts", { headers: json, body })).status).toBe(201);
    const list = await proxy.send("GET", "/api/v1/contacts?per_page=1", { headers: { authorization } });
    const { links } = JSON.parse((await list.bytes()).toString());
    expect(links.first).toMatch(`https://${PUBLIC_HOST}/api/v1/contacts?`);
  });

  it.skipIf(!program?.home)("passes the largest file on in both directions", { timeout: 60_000 }, async () => {
    const bytes = randomBytes(FILE_BYTES);
    const headers = { authorization, "content-type": "application/octet-stream" };
    const reply = await proxy.send("POST", "/api/v1/files?name=large.bin", { headers, body: bytes });
    expect(reply.status).toBe(201);
    const { url } = await dataOf(reply);
    expect(url).toMatch(`https://${PUBLIC_HOST}/files/`);
    const { pathname, search } = new URL(url);
    const download = await proxy.send("GET", pathname + search);
    const digest = createHash("sha256").update(await download.bytes());
    expect(digest.digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  it.skipIf(!program?.home)("passes the events of a stream on at once", async () => {
    const headers = { authorization, accept: "text/event-stream" };
    const { status, response } = await proxy.send("GET", "/api/v1/events/stream?type=contact.created", { headers });
    expect(status).toBe(200);
    let text = "";
    response.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    await until("the stream has begun", () => text !== "", { timeoutMs: LATE_MS_MAX });
    const startedAt = performance.now();
    await parley.call("POST", "/contacts", { body: { name: "Grace" } });
    await until("the event is received", () => text.includes("Grace"), { timeoutMs: LATE_MS_MAX });
    expect(performance.now() - startedAt).toBeLessThan(EVENT_MS_MAX);
    response.destroy();
  });

  it.skipIf(!program?.home)("accepts sign-ins from its own origin, with the headers of https", async () => {
    const headers = { origin: `https://${PUBLIC_HOST}`, "content-type": "application/json" };
    const body = Buffer.from(JSON.stringify({ email: "nobody@example.com", password: "correct horse battery" }));
    const reply = await proxy.send("POST", "/dashboard-api/sign-in", { headers, body });
    expect([reply.status, (await reply.bytes()).toString()]).toEqual([401, expect.stringContaining("password")]);
    expect(reply.response.headers["strict-transport-security"]).toMatch(/max-age=/);
  });
});
