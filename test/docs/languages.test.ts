import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signWebhook } from "@parley/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSigningSecret } from "../../src/webhooks/signing.ts";
import { blockMarked, readPage } from "./markdown.ts";

/** The verification that the guide shows in other languages, run unchanged if the machine has the language. */

interface Case {
  name: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
}

const GO_MAIN = `package main
import ("encoding/json"; "fmt"; "os")
func main() {
	var cases []struct { Secret string; Headers map[string]string; Body string }
	json.NewDecoder(os.Stdin).Decode(&cases)
	for _, c := range cases {
		h := c.Headers
		err := Verify(c.Secret, h["webhook-id"], h["webhook-timestamp"], h["webhook-signature"], []byte(c.Body))
		if err == nil { fmt.Println("ok") } else { fmt.Println("refused") }
	}
}
`;
const PHP_MAIN = `
foreach (json_decode(stream_get_contents(STDIN), true) as $case) {
    try { verify($case['secret'], $case['headers'], $case['body']); echo "ok\\n"; }
    catch (Exception $error) { echo "refused\\n"; }
}
`;
const RUBY_MAIN = `
JSON.parse($stdin.read).each do |given|
  begin
    verify(given["secret"], given["headers"], given["body"])
    puts "ok"
  rescue RuntimeError
    puts "refused"
  end
end
`;

const LANGUAGES = [
  { name: "PHP", block: "verify.php", probe: ["php", "-v"], run: ["php", "verify.php"], main: PHP_MAIN },
  { name: "Ruby", block: "verify.rb", probe: ["ruby", "-v"], run: ["ruby", "verify.rb"], main: RUBY_MAIN },
  { name: "Go", block: "verify.go", probe: ["go", "version"], run: ["go", "run", "verify.go", "main.go"], main: null },
] as const;

let directory: string;
let cases: Case[];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "parley-docs-"));
  writeFileSync(join(directory, "main.go"), GO_MAIN);
  const secret = newSigningSecret();
  const body = JSON.stringify({ id: "evt_1", type: "message.created", data: { body: "Grüße" } });
  const headers = await signWebhook("evt_1", body, secret);
  const old = await signWebhook("evt_1", body, secret, new Date(Date.now() - 600_000));
  const twice = { ...headers, "webhook-signature": `v1,bm90IGl0 ${headers["webhook-signature"]}` };
  cases = [
    { name: "ok", secret, headers, body },
    { name: "ok", secret, headers: twice, body },
    { name: "refused", secret, headers, body: `${body} ` },
    { name: "refused", secret: newSigningSecret(), headers, body },
    { name: "refused", secret, headers: { ...headers, "webhook-id": "evt_2" }, body },
    { name: "refused", secret, headers: old, body },
  ];
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("the guide to verifying signatures", () => {
  for (const { name, block, probe, run, main } of LANGUAGES) {
    const isThere = spawnSync(probe[0], probe.slice(1)).status === 0;
    it(`has ${name} that accepts real signatures and refuses wrong ones`, ({ skip }) => {
      skip(!isThere, `this machine has no ${probe[0]}`);
      const code = blockMarked(readPage("docs/guides/verify-signatures.md"), `run: ${block}`);
      writeFileSync(join(directory, block), code + (main ?? ""));
      const env = { ...process.env, GOCACHE: join(directory, "cache"), GO111MODULE: "off" };
      const options = { cwd: directory, env, input: JSON.stringify(cases), encoding: "utf8" } as const;
      const { stdout, stderr } = spawnSync(run[0], run.slice(1), options);
      expect(stdout.trim().split("\n"), stderr).toEqual(cases.map((one) => one.name));
    });
  }
});
