import { load } from "./load.mjs";

process.on("message", async (request) => {
  process.send(await load(request).catch((error) => ({ error: error.message })));
});
