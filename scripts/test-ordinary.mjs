import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { root, runScript, SetupError, say } from "./lib/root.mjs";
import { run } from "./lib/run.mjs";
import { ensureBuild, ensureDependencies } from "./lib/setup.mjs";

/** The tests that take another way when an ordinary user runs them: as root they prove nothing about that way. */
const FILES = [
  "test/security/private-destinations.test.ts",
  "test/docs/code-blocks.test.ts",
  "test/cli/wrong-turns.test.ts",
];
const ACCOUNT = "parley-test";
const LEFT_OUT = /^(\.git|node_modules\/\.cache|node_modules\/\.vite)(\/|$)/;

/** `npm run test:ordinary`: runs them as an ordinary user, who is created if need be, in a copy that belongs to that user. */
await runScript(async () => {
  if (process.getuid?.() !== 0) {
    say(`This is an ordinary user already: \`npm test -- ${FILES.join(" ")}\` does the same.`);
    return 0;
  }
  await ensureDependencies();
  await ensureBuild();
  const home = await createAccount();
  const copy = mkdtempSync(join(tmpdir(), "parley-ordinary-"));
  try {
    copyCheckout(copy);
    await must("chown", ["--recursive", `${ACCOUNT}:`, copy]);
    const tools = join(copy, ".bin");
    const env = { ...process.env, HOME: home, USER: ACCOUNT, PATH: `${tools}:${process.env.PATH}` };
    const command = [join(tools, "node"), "scripts/test.mjs", ...FILES];
    return (await run("runuser", ["-u", ACCOUNT, "--", ...command], { cwd: copy, env, show: true })).code;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

async function createAccount() {
  const homeOf = () =>
    readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((line) => line.startsWith(`${ACCOUNT}:`))
      ?.split(":")[5];
  if (homeOf() === undefined) await must("useradd", ["--create-home", ACCOUNT]);
  return homeOf();
}

/** With the dependencies, the builds and this Node: the user may not be allowed to enter where they are. */
function copyCheckout(copy) {
  chmodSync(copy, 0o755);
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: (path) => !LEFT_OUT.test(relative(root, path)),
  });
  const node = join(copy, ".bin", "node");
  mkdirSync(dirname(node));
  copyFileSync(process.execPath, node);
}

async function must(command, args) {
  const { code, output } = await run(command, args).catch((error) => ({ code: 1, output: error.message }));
  if (code !== 0) throw new SetupError(`${command} failed: ${output.trim()}`);
}
