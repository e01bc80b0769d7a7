import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));
/** Where `light-dark()` is known, as in the dashboard. */
const TARGET = ["chrome123", "firefox121", "safari17.5"];

/** `node widget/build.mjs DIRECTORY`: widget.js, frame.html, assets/ and manifest.json. */
async function buildWidget(directory) {
  await buildFrame(directory);
  // The page of the demo, which the server shows as long as there is one.
  cpSync(join(here, "shop"), join(directory, "shop"), { recursive: true });
  const version = frameVersion(directory);
  await buildLoader(directory, version);
  writeFileSync(join(directory, "manifest.json"), `${JSON.stringify({ frame_version: version })}\n`);
}

async function buildFrame(outDir) {
  await build({
    ...shared(),
    base: "/widget/",
    oxc: { jsx: { importSource: "preact" } },
    build: {
      ...shared().build,
      outDir,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(here, "frame.html") },
    },
  });
}

/** One classic script without modules: it runs with `async` on any page. */
async function buildLoader(outDir, frameVersion) {
  const own = join(outDir, ".loader");
  await build({
    ...shared(),
    define: { FRAME_VERSION: JSON.stringify(frameVersion) },
    plugins: [squeezeStyles],
    build: {
      ...shared().build,
      outDir: own,
      lib: {
        entry: join(here, "src/loader/main.ts"),
        formats: ["iife"],
        name: "parleyLoader",
        fileName: () => "widget.js",
      },
    },
  });
  renameSync(join(own, "widget.js"), join(outDir, "widget.js"));
  rmSync(own, { recursive: true });
}

/** The loader's style sheet is a string, which the bundler leaves as it is. */
const squeezeStyles = {
  name: "squeeze-styles",
  transform: (code, id) =>
    id.endsWith("/loader/styles.ts") ? code.replaceAll(/\s*([{}:;,])\s+|\n/g, "$1") : undefined,
};

/** The names of the assets hold digests of their contents, and the page names all of those that it needs. */
function frameVersion(outDir) {
  const hash = createHash("sha256").update(readFileSync(join(outDir, "frame.html")));
  for (const name of readdirSync(join(outDir, "assets")).sort()) hash.update(name);
  return hash.digest("hex").slice(0, 12);
}

function shared() {
  return {
    configFile: false,
    root: here,
    logLevel: "warn",
    publicDir: false,
    resolve: { alias: { "@parley/client": join(here, "../client/src/index.ts") } },
    build: { target: TARGET, reportCompressedSize: false, emptyOutDir: false },
  };
}

await buildWidget(process.argv[2]);
