// The limit: sign and POST as fast as one process can, with no database and nothing to lose. Told the count by message.
import { createHmac, randomBytes } from "node:crypto";
import { Pool } from "undici";

const [sink, callers] = process.argv.slice(2);
const key = randomBytes(32);
const pool = new Pool(sink, { connections: Number(callers) });
process.on("message", async ({ count, payload, paths }) => {
  let next = 0;
  await Promise.all(
    Array.from({ length: Number(callers) }, async () => {
      while (next < count) {
        const number = next++;
        const id = `evt_${number}`;
        const timestamp = Math.floor(Date.now() / 1_000);
        const signature = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(payload).digest("base64");
        const { body } = await pool.request({
          method: "POST",
          path: `/hook/${number % paths}`,
          headers: {
            "content-type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": String(timestamp),
            "webhook-signature": `v1,${signature}`,
          },
          body: payload,
        });
        await body.dump();
      }
    }),
  );
  process.send({ done: true });
});
