import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root, runScript, SetupError, secondsSince } from "../../scripts/lib/root.mjs";
import { run } from "../../scripts/lib/run.mjs";
import { ensureDependencies } from "../../scripts/lib/setup.mjs";
import { writeSummary } from "../../scripts/lib/summary.mjs";

const PATCHES = join(root, "test", "prove");
/** How many patches are tried at once: one test keeps about one processor busy. */
const COPIES = Math.min(2, availableParallelism());

/**
 * `npm run prove`: a check that has never been seen to fail proves nothing. Each patch in test/prove breaks one guarantee
 * and names the test that has to notice; it is applied to a copy of this checkout, and that test must turn red there. First
 * all of them must be green without any patch. With arguments (`npm run prove -- fence`) only those patches.
 */
await runScript(async () => {
  const startedAt = performance.now();
  await ensureDependencies();
  const proofs = readProofs(process.argv.slice(2));
  const copies = [];
  try {
    for (let i = 0; i < COPIES; i++) copies.push(await copyCheckout());
    const green = await failuresOf(copies[0], proofs);
    if (green.length > 0) throw new SetupError(`Red without any patch:\n${green.join("\n")}`);
    console.log(
      `${proofs.length} tests are green, as they should be (${secondsSince(startedAt)}). Now breaking them:\n`,
    );
    const waiting = [...proofs];
    const unnoticed = (await Promise.all(copies.map((copy) => proveEach(copy, waiting)))).flat().length;
    const passed = proofs.length - unnoticed;
    console.log(`\n${passed} of ${proofs.length} broken guarantees were noticed.`);
    if (process.argv.length === 2) writeSummary("prove", { passed, failed: unnoticed, skipped: 0 }, startedAt);
    return unnoticed === 0 ? 0 : 1;
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  }
});

/** Takes proofs until none is left. Returns the names of those that nothing noticed. */
async function proveEach(copy, waiting) {
  const unnoticed = [];
  for (let proof = waiting.shift(); proof; proof = waiting.shift()) {
    const begunAt = performance.now();
    const verdict = await prove(copy, proof);
    if (verdict !== "red") unnoticed.push(proof.name);
    console.log(
      `${verdict === "red" ? "✓ red" : `✗ ${verdict}`}  ${proof.name}: ${proof.breaks} (${secondsSince(begunAt)})`,
    );
  }
  return unnoticed;
}

function readProofs(words) {
  const names = readdirSync(PATCHES).filter((file) => file.endsWith(".patch"));
  const proofs = names.map((file) => {
    const text = readFileSync(join(PATCHES, file), "utf8");
    const [, breaks] = /^Breaks: (.+)$/m.exec(text) ?? [];
    const [, testFile, testName] = /^Turns red: (\S+) > (.+)$/m.exec(text) ?? [];
    if (!breaks || !testName) throw new SetupError(`${file} does not say what it breaks and which test turns red.`);
    return { name: file.replace(".patch", ""), path: join(PATCHES, file), breaks, testFile, testName };
  });
  const asked = proofs.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (asked.length === 0) throw new SetupError("No patch has such a name.");
  return asked;
}

/** The files as they are here, committed or not; the dependencies are shared. */
async function copyCheckout() {
  const copy = mkdtempSync(join(tmpdir(), "parley-prove-"));
  // As root the databases run under another user, who needs access.
  chmodSync(copy, 0o755);
  const { stdout } = await run("git", ["ls-files", "-co", "--exclude-standard"]);
  for (const file of stdout.split("\n").filter(Boolean)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const modules of ["node_modules", "dashboard/node_modules"]) link(modules, copy);
  cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });
  return copy;
}

function link(folder, copy) {
  try {
    symlinkSync(join(root, folder), join(copy, folder));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

async function prove(copy, proof) {
  await apply(copy, proof, []);
  try {
    const failures = await failuresOf(copy, [proof]);
    return failures.length > 0 ? "red" : "STILL GREEN";
  } catch (error) {
    return error instanceof SetupError ? `BROKE MORE THAN A GUARANTEE (${error.message})` : Promise.reject(error);
  } finally {
    await apply(copy, proof, ["--reverse"]);
  }
}

async function apply(copy, { name, path }, options) {
  const { code, output } = await run("git", ["apply", ...options, path], { cwd: copy });
  if (code !== 0) throw new SetupError(`${name}.patch no longer applies:\n${output}`);
}

/** Runs the named tests and returns those that failed. A file that does not even load proves nothing. */
async function failuresOf(copy, proofs) {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const files = [...new Set(proofs.map(({ testFile }) => testFile))];
  const names = proofs.map(({ testName }) => testName.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  // Pages, and the thread that reads mail, run what was built.
  if (files.some((file) => /^test\/browser\/|mail/.test(file))) await build(copy);
  const vitest = join(copy, "node_modules", "vitest", "vitest.mjs");
  const reporting = ["--reporter=json", `--outputFile=${report}`];
  const args = [vitest, "run", "--root", copy, "--testTimeout=120000", ...reporting, ...files, "-t", names];
  // What has to turn red mostly waits without success: the deadlines of a quiet machine are long enough.
  const env = { ...process.env, PARLEY_PATIENCE: "1" };
  const { output } = await run(process.execPath, args, { cwd: copy, env });
  const { testResults } = readReport(report, output);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const missing = proofs.filter(({ testName }) => !tests.some(({ fullName }) => fullName.includes(testName)));
  if (missing.length > 0)
    throw new SetupError(`there is no test ${missing.map(({ testName }) => testName).join("; ")}`);
  const broken = testResults.find(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  if (broken) throw new SetupError(`a test file did not load: ${broken.message}`);
  return tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
}

/** Without this, it would be the build of another patch, or none. */
async function build(copy) {
  const code = `import { ensureBuild } from "./scripts/lib/setup.mjs"; await ensureBuild();`;
  const built = await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: copy });
  if (built.code !== 0) throw new SetupError(`the build failed:\n${built.output.slice(-2_000)}`);
}

function readReport(file, output) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new SetupError(`vitest left no report:\n${output.slice(-2_000)}`);
  }
}
