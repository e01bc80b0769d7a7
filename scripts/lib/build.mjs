import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { withLock } from "./lock.mjs";
import { readIfPresent, root, SetupError, say, secondsSince } from "./root.mjs";
import { run } from "./run.mjs";

/** What agents write is read by the same code in the dashboard, in the widget and on the server. */
const RICH_TEXT = ["inline", "links", "nodes", "plain-text", "rich-text"].map((name) => `src/rich-text/${name}.ts`);

/**
 * Everything that is built: where its sources are, which other files change its result, where the output goes, and
 * how it is built into an empty directory. The dashboard has its own output folder: each output is replaced as a whole.
 */
const TARGETS = [
  {
    name: "client",
    source: "client/src",
    settings: ["client/package.json", "client/tsconfig.json"],
    output: "client/dist",
    build: compileClient,
  },
  {
    name: "server",
    source: "src",
    settings: serverSettings,
    output: "dist",
    build: compileServer,
  },
  {
    name: "dashboard",
    source: "dashboard/src",
    settings: () => [
      "dashboard/index.html",
      "dashboard/package.json",
      "dashboard/tsconfig.json",
      "dashboard/vite.config.ts",
      ...pathsUnder("dashboard/public"),
      ...clientSources(),
      ...RICH_TEXT,
    ],
    output: "dashboard/dist",
    build: bundleDashboard,
  },
  {
    name: "widget",
    source: "widget/src",
    settings: () => [
      ...RICH_TEXT,
      "widget/build.mjs",
      "widget/frame.html",
      "widget/package.json",
      "widget/tsconfig.json",
      ...clientSources(),
    ],
    output: "widget/dist",
    build: bundleWidget,
  },
  {
    name: "documentation",
    source: "site/src",
    settings: documents,
    output: "site/dist",
    build: buildDocumentation,
  },
];

/** What a command runs that does not serve pages. */
export const COMMAND_TARGETS = ["client", "server"];

/** @param {string[]} [names] those that are looked at; all of them by default */
export function staleTargets(names) {
  const looked = names ? TARGETS.filter(({ name }) => names.includes(name)) : TARGETS;
  return looked.filter((target) => existsSync(join(root, target.source)) && !isCurrent(target));
}

/** Builds what is not current. A build goes into its own directory and is renamed, so a killed build leaves no partial output. */
export async function buildStale() {
  await withLock(root, async (hold) => {
    removeDrafts();
    for (const target of staleTargets()) await build(target, hold);
  });
}

async function build(target, hold) {
  const startedAt = performance.now();
  say(`Building ${target.name} …`);
  // Next to `dist`, at the same depth: the source maps' relative paths stay right after the rename.
  const fresh = join(root, `.parley-build-${process.pid}`);
  const old = join(root, `.parley-old-${process.pid}`);
  const output = join(root, target.output);
  try {
    mkdirSync(fresh);
    writeFileSync(join(fresh, ".gitignore"), "*\n");
    // Before compiling: a file that is edited during the build must make the stamp outdated.
    const files = sourcesOf(target);
    const state = stateDigest(files);
    const digest = contentDigest(files);
    await target.build(fresh, hold);
    writeFileSync(join(fresh, ".parley-stamp"), `${digest}\n${state}`);
    if (existsSync(output)) renameSync(output, old);
    renameSync(fresh, output);
  } finally {
    removeDrafts();
  }
  say(`Built ${target.name} in ${secondsSince(startedAt)}.`);
}

/** Twice, as ECMAScript modules and as CommonJS: each with its own declarations, so that both resolve to the right kind. */
async function compileClient(directory, hold) {
  const forms = [
    { folder: "esm", type: "module", args: [] },
    { folder: "cjs", type: "commonjs", args: ["--module", "commonjs", "--ignoreDeprecations", "6.0"] },
  ];
  for (const { folder, type, args } of forms) {
    const options = ["-p", "client/tsconfig.json", "--noEmit", "false", "--outDir", join(directory, folder)];
    await compile([...options, ...args], hold);
    for (const file of filesUnder(join(directory, folder)).filter((name) => name.endsWith(".d.ts"))) {
      const path = join(directory, folder, file);
      // The compiler rewrites the imports of the code, and leaves those of the declarations as they are in the source.
      writeFileSync(path, readFileSync(path, "utf8").replace(/(["']\.\/[\w-]+)\.ts(["'])/g, "$1.js$2"));
    }
    writeFileSync(join(directory, folder, "package.json"), `${JSON.stringify({ type })}\n`);
  }
  // In addition to the .gitignore that every build has: without it `npm pack` would leave all of it out.
  writeFileSync(join(directory, ".npmignore"), ".parley-stamp\n");
}

async function compileServer(directory, hold) {
  await compile(["-p", "tsconfig.build.json", "--outDir", directory], hold);
  for (const file of filesUnder(join(root, "src"))) {
    if (file.endsWith(".ts")) continue;
    const copy = join(directory, file);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(root, "src", file), copy);
  }
  await runTool("scripts/lib/bundle-server.mjs", [directory], hold);
}

/** What the server's build depends on in addition to its own sources; the client and the packages become part of the bundle. */
function serverSettings() {
  const bundler = join("scripts", "lib", "bundle-server.mjs");
  return ["tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json", bundler, ...clientSources()];
}

const clientSources = () => pathsUnder("client/src");

const pathsUnder = (folder) => filesUnder(join(root, folder)).map((file) => join(folder, file));

/** The sources of the site. */
function documents() {
  const pages = filesUnder(join(root, "docs")).filter((file) => file.endsWith(".md"));
  return ["openapi.json", "CHANGELOG.md", "client/README.md", ...pages.map((file) => join("docs", file))];
}

async function buildDocumentation(directory, hold) {
  await runTool("site/src/build.mjs", [directory], hold);
  // At the highest quality a hundred pages take seconds, for a tenth of their size.
  compress(directory, { [constants.BROTLI_PARAM_QUALITY]: 6 });
}

async function bundleDashboard(directory, hold) {
  const args = ["build", join(root, "dashboard"), "--outDir", directory, "--logLevel", "warn"];
  const env = { ...process.env, NODE_ENV: "production" };
  await runTool("node_modules/vite/bin/vite.js", args, { ...hold, env });
  compress(directory);
}

async function bundleWidget(directory, hold) {
  const env = { ...process.env, NODE_ENV: "production" };
  await runTool("widget/build.mjs", [directory], { ...hold, env });
  compress(directory);
}

function compile(args, hold) {
  const pretty = ["--pretty", String(process.stderr.isTTY ?? false)];
  return runTool("node_modules/typescript/bin/tsc", [...args, ...pretty], hold);
}

async function runTool(tool, args, options) {
  const { code, output } = await run(process.execPath, [join(root, tool), ...args], options);
  if (code === 0) return;
  say(output.trim());
  throw new SetupError(`The build failed; the output of ${tool} is above. The last good build was left in place.`);
}

function compress(directory, params = {}) {
  for (const file of filesUnder(directory)) {
    if (COMPRESSED_ALREADY.test(file)) continue;
    const content = readFileSync(join(directory, file));
    writeFileSync(join(directory, `${file}.br`), brotliCompressSync(content, { params }));
    writeFileSync(join(directory, `${file}.gz`), gzipSync(content, { level: 9 }));
  }
}

const COMPRESSED_ALREADY = /\.(?:woff2|png|br|gz)$/;

/**
 * A stamp has two lines: the digest of the contents that were built, and that of the files' states when they were last
 * seen to have it. Files in the same state have the same contents, and need not be read.
 */
const stampOf = (target) => join(target.output, ".parley-stamp");

function isCurrent(target) {
  const [builtDigest, seenState] = (readIfPresent(stampOf(target)) ?? "").split("\n");
  const files = sourcesOf(target);
  const state = stateDigest(files);
  if (state === seenState) return true;
  if (contentDigest(files) !== builtDigest) return false;
  rememberState(target, builtDigest, state);
  return true;
}

/** Where the build belongs to another account, the next command reads the files again. */
function rememberState(target, builtDigest, state) {
  try {
    writeFileSync(join(root, stampOf(target)), `${builtDigest}\n${state}`);
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
  }
}

function sourcesOf(target) {
  const settings = typeof target.settings === "function" ? target.settings() : target.settings;
  return [...settings, ...filesUnder(join(root, target.source)).map((file) => join(target.source, file))];
}

/** By content: a fresh clone, a branch switch and a copied tree all have misleading times. */
function contentDigest(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** Nobody can set the time at which a file's state last changed: it differs after every write, copy and rename. */
function stateDigest(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const { ino, size, ctimeNs } = statSync(join(root, file), { bigint: true });
    hash.update(`${file}\0${ino}\0${size}\0${ctimeNs}\0`);
  }
  return hash.digest("hex");
}

function filesUnder(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}

/** Of this build and of those that were killed; safe because the lock is ours. */
function removeDrafts() {
  for (const name of readdirSync(root)) {
    if (/^\.parley-(build|old)-\d+$/.test(name)) rmSync(join(root, name), { recursive: true, force: true });
  }
}
