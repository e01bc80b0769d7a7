import { findOnPath } from "../../scripts/lib/executable.mjs";
import { fetchedProgram, fetchProgram } from "./fetch-program.mjs";

const ARCH = process.arch === "arm64" ? { bun: "aarch64", deno: "arm64" } : { bun: "x64", deno: "x64" };
const LIBC = process.platform === "linux" ? "-glibc" : "";

/** The packages with nothing but the program; those that npm users install run a script to find them. */
const PACKAGES = {
  bun: { name: `@oven/bun-${process.platform}-${ARCH.bun}`, version: "1.4.4", program: "bin/bun" },
  deno: { name: `@deno/${process.platform}-${ARCH.deno}${LIBC}`, version: "2.9.5", program: "deno" },
};

/**
 * Where another JavaScript runtime is: on the path, or fetched before. With `fetch` it is taken from npm (100 MB each);
 * undefined where npm has none for this machine.
 *
 * @param {"bun" | "deno"} runtime
 * @param {{ fetch: boolean }} options
 */
export async function findRuntime(runtime, { fetch }) {
  const found = findOnPath([runtime]) ?? fetchedProgram(PACKAGES[runtime]);
  if (found || !fetch) return found;
  return fetchProgram(PACKAGES[runtime]).catch(() => undefined);
}
