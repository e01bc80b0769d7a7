// Runs `parley` commands one after the other in one process. Starting a process takes most of the time of a short command.
// For commands that end by themselves; what is about the process itself is tested with one of its own.
import { main } from "../../dist/bundle/main.js";

globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node.split(".")[0]}` };

const originals = { stdout: process.stdout.write, stderr: process.stderr.write };
let turn = Promise.resolve();

process.on("message", (message) => {
  turn = turn.then(() => run(message));
});
process.on("disconnect", () => process.exit(0));

async function run({ id, args, env }) {
  const output = { stdout: "", stderr: "" };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  for (const name of ["stdout", "stderr"]) process[name].write = capture(output, name);
  let code;
  try {
    code = await main(args);
  } finally {
    for (const name of ["stdout", "stderr"]) process[name].write = originals[name];
    process.stdout.removeAllListeners("error");
    process.exitCode = undefined;
  }
  process.send({ id, code, ...output });
}

function capture(output, name) {
  return (chunk, encoding, callback) => {
    output[name] += chunk;
    (typeof encoding === "function" ? encoding : callback)?.();
    return true;
  };
}
