import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Arrival } from "../support/receiver.ts";
import { startWebhookFixture, type WebhookFixture } from "../support/webhook-fixture.ts";
import { blockMarked, readPage } from "./markdown.ts";

/** The verification that docs/webhooks.md shows, run unchanged on real deliveries. */

type Verify = (secret: string, headers: Arrival["headers"], body: string) => Promise<unknown>;

let fixture: WebhookFixture;
let directory: string;
let secret: string;
let arrival: Arrival;
/** Signed with the secret before a rotation and with the one after it. */
let signedTwice: Arrival;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "parley-docs-"));
  fixture = await startWebhookFixture();
  const webhook = await fixture.createWebhook();
  secret = webhook.secret;
  await fixture.write("Grüße, 你好");
  arrival = (await fixture.receiver.waitFor(1, webhook.path))[0] as Arrival;
  await fixture.parley.call("POST", `/webhooks/${webhook.id}/rotate-secret`);
  await fixture.write("again");
  signedTwice = (await fixture.receiver.waitFor(2, webhook.path))[1] as Arrival;
});
afterAll(async () => {
  await fixture.close();
  rmSync(directory, { recursive: true, force: true });
});

function verifies(verify: Verify): void {
  it("accepts a real delivery and returns its event", async () => {
    expect(await verify(secret, arrival.headers, arrival.body)).toEqual(arrival.event);
  });

  it("takes a delivery that two secrets signed", async () => {
    expect(String(signedTwice.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect(await verify(secret, signedTwice.headers, signedTwice.body)).toEqual(signedTwice.event);
  });

  it.each<[string, () => Parameters<Verify>]>([
    ["a changed body", () => [secret, arrival.headers, `${arrival.body} `]],
    ["another secret", () => [`whsec_${Buffer.alloc(32).toString("base64")}`, arrival.headers, arrival.body]],
    ["a changed id", () => [secret, { ...arrival.headers, "webhook-id": "evt_other" }, arrival.body]],
    ["an old timestamp", () => [secret, { ...arrival.headers, "webhook-timestamp": "1700000000" }, arrival.body]],
    ["no signature", () => [secret, { ...arrival.headers, "webhook-signature": "" }, arrival.body]],
  ])("refuses %s", async (_what, given) => {
    await expect(verify(...given())).rejects.toThrow(/signature|timestamp/);
  });
}

describe("verifying with nothing but Node", () => {
  verifies(async (key, headers, body) => {
    const file = join(directory, "verify.mjs");
    writeFileSync(file, blockMarked(readPage("docs/webhooks.md"), "run: verify.mjs"));
    const { verify } = (await import(pathToFileURL(file).href)) as { verify: (...args: unknown[]) => unknown };
    return verify(key, headers, body);
  });
});

const python = (await run("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"], "")).code === 0;

describe("verifying with nothing but Python", () => {
  beforeEach(({ skip }) => skip(!python, "this machine has no python3 of version 3.9 or newer"));
  verifies(async (key, headers, body) => {
    const call = `
import sys
given = json.load(sys.stdin)
print(json.dumps(verify(given["secret"], given["headers"], given["body"].encode())))
`;
    const file = join(directory, "verify.py");
    writeFileSync(file, blockMarked(readPage("docs/webhooks.md"), "run: verify.py") + call);
    const { code, stdout, stderr } = await run("python3", [file], JSON.stringify({ secret: key, headers, body }));
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  });
});

function run(command: string, args: string[], input: string) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = spawn(command, args, { stdio: "pipe" });
    const said = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => {
      said.stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      said.stderr += chunk;
    });
    child.once("error", () => resolve({ code: null, ...said }));
    child.once("close", (code) => resolve({ code, ...said }));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
