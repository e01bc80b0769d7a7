import { runScript, SetupError } from "../../scripts/lib/root.mjs";
import { ensureBuild, ensureDependencies } from "../../scripts/lib/setup.mjs";
import { smoke, smokeAt } from "./smoke.mjs";

/**
 * `npm run smoke` starts the server under other versions of Node. `PARLEY_KEY=… npm run smoke -- http://localhost:8080`
 * checks an installation that runs already.
 */
await runScript(async () => {
  const [url] = process.argv.slice(2);
  if (url !== undefined) return exitCode(await smokeAt({ base: baseOf(url), key: keyFor(url) }));
  await ensureDependencies();
  await ensureBuild();
  return exitCode(await smoke());
});

function exitCode({ failed }) {
  return failed === 0 ? 0 : 1;
}

function baseOf(url) {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ""))
    throw new SetupError(`"${url}" is not the address of a server; write it like http://localhost:8080.`);
  return url.replace(/\/+$/, "");
}

function keyFor(url) {
  if (process.env.PARLEY_KEY) return process.env.PARLEY_KEY;
  throw new SetupError(`Set PARLEY_KEY to an API key of ${url} with all scopes.`);
}
