import { spawnSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IDENTITY_SNIPPETS } from "../../dashboard/src/pages/widgets/snippets.ts";
import { blockMarked, readPage } from "./markdown.ts";

/** The code that signs identity tokens, run unchanged if the machine has the language. */
const LANGUAGES = [
  {
    name: "Node",
    file: "token.mjs",
    run: [process.execPath],
    main: "\nconst [, , secret, user] = process.argv;\nprocess.stdout.write(identityToken(secret, JSON.parse(user)));\n",
  },
  {
    name: "Python",
    file: "token.py",
    run: ["python3"],
    main: "\n\nimport sys\n\nprint(identity_token(sys.argv[1], json.loads(sys.argv[2])), end='')\n",
  },
  {
    name: "PHP",
    file: "token.php",
    run: ["php"],
    main: "\necho identity_token($argv[1], json_decode($argv[2], true));\n",
  },
  { name: "Ruby", file: "token.rb", run: ["ruby"], main: "\nprint identity_token(ARGV[0], JSON.parse(ARGV[1]))\n" },
] as const;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "parley-docs-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("the code for identity tokens", () => {
  const page = readPage("docs/widgets.md");

  for (const { name, file, run, main } of LANGUAGES) {
    const isThere = spawnSync(run[0], ["--version"]).status === 0;
    it(`in ${name} signs with the decoded secret, for less than an hour`, ({ skip }) => {
      skip(!isThere, `this machine has no ${run[0]}`);
      writeFileSync(join(directory, file), blockMarked(page, `run: ${file}`) + main);
      const key = randomBytes(32);
      const user = { id: "user-7", name: "Zoë Grüner", email: "zoe@example.com" };
      const args = [join(directory, file), `wis_${key.toString("base64")}`, JSON.stringify(user)];
      const { stdout, stderr } = spawnSync(run[0], args, { encoding: "utf8" });
      const [header = "", payload = "", signature] = stdout.split(".");
      expect(signature, stderr).toBe(createHmac("sha256", key).update(`${header}.${payload}`).digest("base64url"));
      const parse = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
      expect(parse(header)).toEqual({ alg: "HS256", typ: "JWT" });
      const { sub, name: shown, email, exp } = parse(payload);
      expect({ id: sub, name: shown, email }).toEqual(user);
      expect(exp * 1_000).toBeGreaterThan(Date.now());
      expect(exp * 1_000).toBeLessThan(Date.now() + 3_600_000);
    });

    it(`in ${name} is the same in the dashboard`, () => {
      const shown = IDENTITY_SNIPPETS.find((snippet) => snippet.name === name);
      expect(blockMarked(page, `run: ${file}`).trimEnd()).toBe(shown?.code);
    });
  }
});
