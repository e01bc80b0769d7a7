// Mail. In: mails per second that are handed over by HTTP, parsed, folded and stored, each with its conversation, its event and a
// delivery to one webhook. Out: replies per second that are written (their bytes are fixed in the transaction), and that a mail
// server accepts, from one mailbox and from ten. By IMAP, from a real Dovecot: from the arrival of a mail in the folder to its
// arrival in an inbox (a stream of events), also of mails right behind one of 39 MiB; then the import of a folder of 100,000
// older mails, with the memory of the process before it, at its peak and afterwards, and with new mail that arrives meanwhile.
// BENCH_MAILS is the size of that folder, BENCH_IMPORT_MINUTES how long its import may take.
import { latencyOf, machineMs, stampedBody } from "./lib/clock.mjs";
import { startDovecot } from "./lib/dovecot.mjs";
import { quantile } from "./lib/load.mjs";
import { mailOf } from "./lib/mails.mjs";
import { ask, freePort, KEY, start, startProduct, stop } from "./lib/processes.mjs";
import { conclude, median, spread, table } from "./lib/report.mjs";
import { startSink } from "./lib/sinks.mjs";
import { readStream } from "./lib/sse.mjs";
import { undisturbed } from "./lib/undisturbed.mjs";
import { peakMb, residentMb } from "./lib/usage.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MS = Number(process.env.BENCH_MS ?? 5_000);
const REPLIES = Number(process.env.BENCH_REPLIES ?? 1_000);
const ARRIVALS = Number(process.env.BENCH_ARRIVALS ?? 200);
const MAILS = Number(process.env.BENCH_MAILS ?? 100_000);
const ARRIVALS_PER_SECOND = 10;
const BEHIND = 40;
const BEHIND_PER_SECOND = 4;
const LARGE_BYTES = 39 * 1024 * 1024;
const MEANWHILE_PER_SECOND = 0.5;
const CALLERS = [1, 8, 32];
const MAILBOXES = 10;
const WAIT_MS_MAX = 120_000;
const IMPORT_MS_MAX = Number(process.env.BENCH_IMPORT_MINUTES ?? 35) * 60_000;

const SETTINGS = { PARLEY_LOG_LEVEL: "error", PARLEY_MAIL_PORTS: "1024-65535", PARLEY_MAIL_PER_HOUR: "1000000" };
const product = await startProduct(SETTINGS);
const webhooks = await startSink();
const smtpPort = await freePort();
const smtp = start("bench/lib/smtp-sink.mjs", [String(smtpPort)]);
await new Promise((resolve) => smtp.once("message", resolve));
const loader = start("bench/lib/mail-loader.mjs");
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

await product.call("POST", "/webhooks", { name: "a", url: `${webhooks.url}/a`, events: ["message.created"] });
const outbound = { host: "127.0.0.1", port: smtpPort, security: "none" };
const mailboxes = [];
for (let n = 0; n < MAILBOXES; n++) {
  const body = { name: `m${n}`, address: `m${n}@shop.example`, outbound };
  mailboxes.push(await product.call("POST", "/mailboxes", body));
}

const incoming = [];
for (const callers of CALLERS) incoming.push({ callers, rounds: await roundsOf(() => takeIn(callers)) });
table([
  ["mails in, by HTTP, with one webhook", "mails/s (median)", "spread", "p50 ms", "p99 ms"],
  ...incoming.map(({ callers, rounds }) => [
    `${callers} callers`,
    ...rates(rounds),
    ...["p50", "p99"].map((figure) => median(rounds.map((round) => round[figure])).toFixed(1)),
  ]),
]);
console.log("");
const outgoing = [
  { name: "one mailbox", rounds: await roundsOf(() => sendOut(mailboxes.slice(0, 1))) },
  { name: `${MAILBOXES} mailboxes`, rounds: await roundsOf(() => sendOut(mailboxes)) },
];
table([
  [`${REPLIES.toLocaleString("en")} replies out`, "written/s", "spread", "accepted/s", "spread"],
  ...outgoing.map(({ name, rounds }) => [name, ...rates(rounds, "writtenPerSecond"), ...rates(rounds)]),
]);
console.log("");
const dovecot = await startDovecot();
const imap = dovecot ? await readFolders() : null;
conclude("mail", { incoming, outgoing, imap }, []);
await stop(loader);
await stop(smtp);
await webhooks.stop();
await product.stop();
await dovecot?.close();

async function roundsOf(measure) {
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round++) rounds.push(await undisturbed(measure));
  return rounds.slice(1); // the first round warms up
}

function rates(rounds, figure = "perSecond") {
  const list = rounds.map((round) => round[figure]);
  return [Math.round(median(list)), spread(list)];
}

/** Each mail counts once its webhook has it too. */
async function takeIn(callers) {
  await webhooks.reset();
  const begunAt = performance.now();
  const result = await ask(loader, { url: product.url, key: KEY, mailbox: mailboxes[0].id, callers, ms: MS });
  await webhooks.arrived(result.count, WAIT_MS_MAX);
  return { ...result, perSecond: (result.count * 1_000) / (performance.now() - begunAt) };
}

/** Written while their mailboxes are paused; then all of them are resumed. */
async function sendOut(from) {
  const conversations = [];
  for (const mailbox of from) {
    await product.call("POST", `/mailboxes/${mailbox.id}/pause`);
    for (let n = 0; n < 8; n++) {
      const contact = { email: `out${n}@example.com` };
      conversations.push((await product.call("POST", "/conversations", { mailbox_id: mailbox.id, contact })).id);
    }
  }
  let written = 0;
  const begunAt = performance.now();
  const write = async () => {
    while (written < REPLIES) {
      const conversation = conversations[written++ % conversations.length];
      const body = "Hello,\n\nit arrives **tomorrow**.\n\n- by post\n- at https://shop.example/track";
      await product.call("POST", `/conversations/${conversation}/messages`, { body });
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
  const writtenPerSecond = (REPLIES * 1_000) / (performance.now() - begunAt);
  await ask(smtp, { kind: "reset" });
  const resumedAt = machineMs();
  for (const { id } of from) await product.call("POST", `/mailboxes/${id}/resume`);
  const found = await arrivals(REPLIES);
  return { writtenPerSecond, perSecond: (REPLIES * 1_000) / (found.lastAt - resumedAt) };
}

async function arrivals(count) {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const found = await ask(smtp, { kind: "read" });
    if (found.count >= count) return found;
    if (performance.now() > deadline) throw new Error(`only ${found.count} of ${count} mails were sent`);
    await sleep(50);
  }
}

async function readFolders() {
  await connected(await connect(product, "live"));
  const arrival = await latenciesOf(product, "live", { perSecond: ARRIVALS_PER_SECOND, while: (n) => n < ARRIVALS });
  dovecot.deliver("live", largeMail());
  const behind = await latenciesOf(product, "live", { perSecond: BEHIND_PER_SECOND, while: (n) => n < BEHIND });
  table([
    ["from the IMAP folder to the inbox", "p50 ms", "p99 ms", "max ms"],
    [`${arrival.count} mails, ${ARRIVALS_PER_SECOND} per second`, ...latencyCells(arrival)],
    [`${behind.count} mails behind one of 39 MiB, ${BEHIND_PER_SECOND} per second`, ...latencyCells(behind)],
  ]);
  console.log("");
  const older = await measureImport();
  table([
    [
      "import of a folder",
      "mails/s",
      "MB before",
      "MB at its peak",
      "MB afterwards",
      "new mail p50 ms",
      "p99 ms",
      "max ms",
    ],
    [
      `${older.count.toLocaleString("en")} of ${MAILS.toLocaleString("en")} mails`,
      ...[older.perSecond, older.beforeMb, older.peakMb, older.afterMb].map(Math.round),
      ...latencyCells(older.meanwhile),
    ],
  ]);
  return { arrival, behind, older };
}

function latencyCells({ p50, p99, max }) {
  return [p50, p99, max].map((ms) => ms.toFixed(0));
}

function largeMail() {
  return [
    "From: c@example.com",
    "Subject: large",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n",
    `${"A".repeat(76)}\r\n`.repeat(Math.floor(LARGE_BYTES / 78)),
    "--b--\r\n",
  ].join("\r\n");
}

async function connect({ call }, user, since = null) {
  const inbound = { type: "imap", host: "127.0.0.1", port: dovecot.port, security: "none", since };
  const { id } = await call("POST", "/mailboxes", {
    name: user,
    address: `${user}@shop.example`,
    inbound: { ...inbound, user, password: dovecot.password },
    outbound,
  });
  return id;
}

/** Mails are delivered at a pace; each says when. */
async function latenciesOf({ url }, user, { perSecond, while: isWanted }) {
  const latencies = [];
  const inbox = readStream(`${url}/api/v1/events/stream?types=message.created`, {
    headers: { authorization: `Bearer ${KEY}` },
    onFrame({ data }) {
      const latency = latencyOf(data.data.body);
      if (latency !== null) latencies.push(latency);
    },
  });
  await inbox.opened;
  let sent = 0;
  for (; isWanted(sent); sent++) {
    dovecot.deliver(user, `From: c${sent}@example.com\r\nSubject: a\r\n\r\n${stampedBody()}\r\n`);
    await sleep(1_000 / perSecond);
  }
  const deadline = performance.now() + WAIT_MS_MAX;
  while (latencies.length < sent && performance.now() < deadline) await sleep(50);
  inbox.close();
  if (latencies.length !== sent) throw new Error(`${latencies.length} of ${sent} mails arrived`);
  latencies.sort((a, b) => a - b);
  return { count: sent, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), max: latencies.at(-1) };
}

/** In an installation of its own, whose memory holds nothing from before. */
async function measureImport() {
  for (let n = 0; n < MAILS; n++) dovecot.deliver("old", mailOf(n, { subject: "Older mail" }));
  const fresh = await startProduct(SETTINGS);
  try {
    const { pid } = fresh.child;
    await sleep(3_000);
    const beforeMb = residentMb(pid);
    const begunAt = performance.now();
    const id = await connect(fresh, "old", "2020-01-01");
    let older = null;
    const importing = imported(fresh, id, begunAt).then((result) => {
      older = result;
    });
    const meanwhile = await latenciesOf(fresh, "old", { perSecond: MEANWHILE_PER_SECOND, while: () => older === null });
    await importing;
    await sleep(5_000);
    return { ...older, beforeMb, peakMb: peakMb(pid), afterMb: residentMb(pid), meanwhile };
  } finally {
    await fresh.stop();
  }
}

/** How many mails were imported in the time there is, and how many per second. */
async function imported(target, id, begunAt) {
  let done = 0;
  const progress = async () => (await target.call("GET", `/mailboxes/${id}`)).status.import;
  await eventually("the import has begun", async () => (await progress()) !== null, WAIT_MS_MAX);
  while (performance.now() - begunAt < IMPORT_MS_MAX) {
    const now = await progress();
    done = now?.done ?? MAILS;
    if (now === null) break;
    await sleep(200);
  }
  return { count: done, perSecond: (done * 1_000) / (performance.now() - begunAt) };
}

function connected(id) {
  const isConnected = async () => (await product.call("GET", `/mailboxes/${id}`)).status.state === "ok";
  return eventually("the mailbox is connected", isConnected, WAIT_MS_MAX);
}

async function eventually(what, isTrue, msMax) {
  const deadline = performance.now() + msMax;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`);
    await sleep(200);
  }
}
