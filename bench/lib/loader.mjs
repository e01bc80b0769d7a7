// Load in a process of its own: with a pace an open loop, without one a closed loop.
import { load } from "./load.mjs";
import { pace } from "./pace.mjs";

process.on("message", async (request) => {
  const run = request.perSecond ? pace : load;
  process.send(await run(request).catch((error) => ({ error: error.message })));
});
