// The limit: sign and POST as fast as one process can, with no database and nothing to lose. The count comes by message.
import { Pool } from "undici";
import { signedHeaders } from "./signing.mjs";

const [sink, callers] = process.argv.slice(2);
const pool = new Pool(sink, { connections: Number(callers) });
process.on("message", async ({ count, payload }) => {
  let next = 0;
  await Promise.all(
    Array.from({ length: Number(callers) }, async () => {
      while (next < count) {
        const headers = signedHeaders(`evt_${next++}`, payload);
        const { body } = await pool.request({ method: "POST", path: "/hook", headers, body: payload });
        await body.dump();
      }
    }),
  );
  process.send({ done: true });
});
