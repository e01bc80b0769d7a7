// Hands mails over by HTTP, in a process of its own: a closed loop in which no mail is the same as another.
import { Pool } from "undici";
import { quantile } from "./load.mjs";
import { mailOf } from "./mails.mjs";

let number = 0;

process.on("message", (request) => {
  run(request).then(
    (result) => process.send(result),
    (error) => process.send({ error: error.message }),
  );
});

async function run({ url, key, mailbox, callers, ms, count = Number.POSITIVE_INFINITY }) {
  const pool = new Pool(url, { connections: callers, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}`, "content-type": "message/rfc822" };
  const times = [];
  let left = count;
  const begunAt = performance.now();
  const send = async () => {
    while (performance.now() - begunAt < ms && left-- > 0) {
      const at = performance.now();
      const path = `/api/v1/mailboxes/${mailbox}/messages`;
      const response = await pool.request({ path, method: "POST", headers, body: mailOf(++number) });
      await response.body.dump();
      if (response.statusCode !== 201) throw new Error(`a mail got a ${response.statusCode}`);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: callers }, send));
  const seconds = (performance.now() - begunAt) / 1_000;
  await pool.close();
  times.sort((a, b) => a - b);
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  return { count: times.length, perSecond: times.length / seconds, p50, p99 };
}
