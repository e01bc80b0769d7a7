import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../tidy/source-text.ts";

interface Bundler {
  rolldown(options: { input: string; logLevel: "silent" }): Promise<{
    generate(options: object): Promise<{ output: [{ code: string; imports: string[] }] }>;
    close(): Promise<void>;
  }>;
}

/** The client as one minified script: an ES module, or `ParleyClient` as a global. */
export async function bundleClient(format: "esm" | "iife"): Promise<{ code: string; imports: string[] }> {
  // The bundler that Vite brings along, wherever npm has put it.
  const { resolve } = createRequire(join(root, "node_modules/vite/package.json"));
  const { rolldown } = (await import(resolve("rolldown"))) as Bundler;
  const bundle = await rolldown({ input: join(root, "client/dist/esm/index.js"), logLevel: "silent" });
  const { output } = await bundle.generate({ format, minify: true, name: "ParleyClient" });
  await bundle.close();
  return output[0];
}
