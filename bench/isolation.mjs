// How failing destinations affect healthy ones. First: 10,000 webhooks on distinct origins, 5 % of them hanging and 5 % refusing,
// constant load, compared with the same load without failing destinations. Then: a quiet workspace next to a long backlog of another one,
// and without it; the same backlog in another installation shows how much of it the machine causes. Then a quiet
// workspace next to one whose receivers all hang, and each attack of bench/lib/attacks.mjs: the victim alone, the attacker
// alone and both, by turns. Last: how many requests a host gets that never asked for webhooks. Bars: next to failing receivers
// p99 at most twice as long and throughput at least 90 %; next to a busy workspace p99 at most the larger of five times alone
// and 100 ms, without failures, while the busy one keeps 80 % of its deliveries and writes and 60 % of its expensive reads. With BENCH_ATTACKS=only, the attacks alone; with a part of their names instead, such as "hang", only
// those. With --full each of them lasts five minutes.
import { countUnwanted, measureAttacks } from "./lib/attacks.mjs";
import { quantile } from "./lib/load.mjs";
import { freePort, startProduct, startWorker, stop } from "./lib/processes.mjs";
import { conclude, interleave, median, ratio, spread, startLoader, table } from "./lib/report.mjs";
import { connectTo, queueDeliveries } from "./lib/rows.mjs";
import { startSink } from "./lib/sinks.mjs";
import { createWebhooks, createWorkspaces } from "./lib/workspaces.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MS = Number(process.env.BENCH_MS ?? 30_000);
const WORKSPACES = Number(process.env.BENCH_WORKSPACES ?? 100);
const HEALTHY = 90;
const HANGING = 5;
const REFUSING = 5;
// A share of the rate at which the healthy webhooks are drained: a load that leaves room on any machine.
const LOAD = 1 / 3;

// More than a fast machine drains while the quiet workspace is measured.
const BACKLOG = Number(process.env.BENCH_COUNT ?? 300_000);
const QUIET_PER_SECOND = 20;
// 200 messages: of fewer, the 99th percentile would be the slowest one.
const QUIET_MS = MS / 3;
const SHARED_QUIET_MS = (MS * 2) / 3;

const HANGING_WEBHOOKS = 400;
const HANGING_EVENTS = 8;
const HANGING_AGAIN_MS = 15_000;
const HANGING_WORKERS = 4;

const UNWANTED_WEBHOOKS = Number(process.env.BENCH_UNWANTED ?? 3_000);
const UNWANTED_MS = 60_000;
const UNWANTED_MAX = 2_000;

const attacksOnly = process.env.BENCH_ATTACKS !== undefined;
const named = process.env.BENCH_ATTACKS === "only" ? "" : process.env.BENCH_ATTACKS;
const isFull = process.argv.includes("--full");
const attackMs = isFull ? 300_000 : MS / 6;

const loader = startLoader();

/** Each number has its own address in 127.0.0.0/8, on which the sink on 0.0.0.0 responds. */
const originOf = (number, port) => `http://127.1.${number >> 8}.${number & 255}:${port}`;

async function amongFailingDestinations() {
  const sink = await startSink("0.0.0.0");
  const refusingPort = await freePort();
  const urlOf = (workspace, hook) => {
    const number = workspace * (HEALTHY + HANGING + REFUSING) + hook;
    if (hook < HEALTHY) return `${originOf(number, sink.port)}/hook`;
    return hook < HEALTHY + HANGING ? `${originOf(number, sink.port)}/hang` : `${originOf(number, refusingPort)}/hook`;
  };
  const contender = async (name, hooks) => {
    const product = await startProduct({ PARLEY_LOG_LEVEL: "error" });
    const targets = await createWorkspaces(product, WORKSPACES);
    const wanted = targets.flatMap(({ key }, workspace) =>
      Array.from({ length: hooks }, (_, hook) => ({ key, url: urlOf(workspace, hook) })),
    );
    await createWebhooks(product, wanted);
    return { name, product, targets };
  };
  const contenders = [
    await contender("without failing destinations", HEALTHY),
    await contender("5 % hanging, 5 % refusing", HEALTHY + HANGING + REFUSING),
  ];
  const perSecond = (LOAD * (await drainRate(contenders[0], sink))) / HEALTHY;
  const results = await interleave(contenders, ROUNDS, async ({ product, targets }) => {
    await sink.reset();
    const { count } = await loader.run({ url: product.url, targets, perSecond, ms: MS });
    const inTime = await sink.stats();
    await sink.arrived(count * HEALTHY, 180_000);
    const times = await sink.times();
    return { perSecond: (inTime.count / MS) * 1_000, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  });
  await Promise.all([sink.stop(), ...contenders.map(({ product }) => product.stop())]);
  return results;
}

/** Deliveries per second when every webhook has one waiting. */
async function drainRate({ product, targets }, sink) {
  const sql = await connectTo(product);
  await sql.query("begin");
  for (const { id } of targets) await queueDeliveries(sql, { workspaceId: id, events: 1 });
  await sql.query("commit");
  await sql.end();
  const count = targets.length * HEALTHY;
  const { ms } = await sink.arrived(count, 120_000);
  return (count / ms) * 1_000;
}

const nothingFor = (ms) => new Promise((resolve) => setTimeout(() => resolve({ count: 0 }), ms));

async function nextToABacklog() {
  const quietSink = await startSink();
  const busySink = await startSink();
  const installation = async () => {
    const product = await startProduct({ PARLEY_LOG_LEVEL: "error" });
    const [quiet, busy] = await createWorkspaces(product, 2);
    await createWebhooks(product, [
      { key: quiet.key, url: `http://127.0.0.1:${quietSink.port}/` },
      { key: busy.key, url: `http://127.0.0.1:${busySink.port}/` },
    ]);
    return { product, quiet, busy, sql: await connectTo(product) };
  };
  const ours = await installation();
  const other = await installation();
  const contenders = [
    { name: "alone", backlogOf: null },
    { name: `next to a backlog of ${BACKLOG.toLocaleString("en")}`, backlogOf: ours },
    { name: "next to such a backlog of another installation", backlogOf: other },
    { name: "the backlog while the other workspace does nothing", backlogOf: ours, isQuiet: true },
  ];
  const results = await interleave(contenders, ROUNDS + 1, async ({ backlogOf, isQuiet }) => {
    await Promise.all([quietSink.reset(), busySink.reset()]);
    if (backlogOf) {
      await queueDeliveries(backlogOf.sql, { workspaceId: backlogOf.busy.id, events: BACKLOG });
      await busySink.arrived(1, 60_000);
    }
    const load = { url: ours.product.url, targets: [ours.quiet], perSecond: QUIET_PER_SECOND, ms: QUIET_MS };
    const { count } = isQuiet ? await nothingFor(QUIET_MS) : await loader.run(load);
    const { count: drained } = await busySink.stats();
    if (drained >= BACKLOG) throw new Error("the backlog was drained before the round ended: make it larger");
    await quietSink.arrived(count, 60_000);
    const times = await quietSink.times();
    if (backlogOf) await busySink.arrived(BACKLOG, 180_000);
    const backlogPerSecond = (drained / QUIET_MS) * 1_000;
    const [p50, p99] = isQuiet ? [0, 0] : [quantile(times, 0.5), quantile(times, 0.99)];
    return { p50, p99, backlogPerSecond };
  });
  for (const list of results.values()) list.shift(); // the first round warms up
  await Promise.all([ours, other].map(({ sql, product }) => sql.end().then(product.stop)));
  await Promise.all([quietSink.stop(), busySink.stop()]);
  return results;
}

/** A quiet workspace, and the same next to one whose 400 webhooks all hang and hold whatever they get. */
async function nextToHangingReceivers({ workers, rounds, ms }) {
  const quietSink = await startSink();
  const hangingSink = await startSink();
  const installation = async (name, hanging) => {
    const product = await startProduct({ PARLEY_LOG_LEVEL: "error" });
    const others = Array.from({ length: workers - 1 }, () => startWorker(product));
    const [quiet, hostile] = await createWorkspaces(product, 2);
    const url = `http://127.0.0.1:${hangingSink.port}/hang`;
    await createWebhooks(product, [
      { key: quiet.key, url: `http://127.0.0.1:${quietSink.port}/` },
      ...Array.from({ length: hanging }, () => ({ key: hostile.key, url })),
    ]);
    return { name, product, others, quiet, hostile, hanging, sql: await connectTo(product) };
  };
  const among = workers === 1 ? "" : `, ${workers} workers`;
  const contenders = [
    await installation(`alone${among}`, 0),
    await installation(`next to ${HANGING_WEBHOOKS} webhooks that hang${among}`, HANGING_WEBHOOKS),
  ];
  const results = await interleave(contenders, rounds + 1, async ({ product, quiet, hostile, hanging, sql }) => {
    await quietSink.reset();
    // More than every window of its lanes holds, and again and again: the attack lasts for the whole round.
    const attack = () => queueDeliveries(sql, { workspaceId: hostile.id, events: HANGING_EVENTS });
    if (hanging > 0) await attack();
    const kept = hanging > 0 ? setInterval(attack, HANGING_AGAIN_MS) : undefined;
    const { count } = await loader.run({ url: product.url, targets: [quiet], perSecond: QUIET_PER_SECOND, ms });
    clearInterval(kept);
    const { rows } = await sql.query("select sum(in_flight)::int as held from delivery_lanes where workspace_id = $1", [
      hostile.id,
    ]);
    await quietSink.arrived(count, 120_000);
    const times = await quietSink.times();
    return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), held: rows[0].held ?? 0 };
  });
  for (const list of results.values()) list.shift(); // the first round warms up
  await Promise.all(contenders.flatMap(({ others }) => others.map(stop)));
  await Promise.all(contenders.map(({ sql, product }) => sql.end().then(product.stop)));
  await Promise.all([quietSink.stop(), hangingSink.stop()]);
  return results;
}

const of = (list, figure) => list.map((round) => round[figure]);

function show(head, results, figure) {
  table([
    [head, "p50 ms (median)", "p99 ms (median)", "p99 spread", figure.title],
    ...[...results].map(([name, list]) => [
      name,
      Math.round(median(of(list, "p50"))),
      Math.round(median(of(list, "p99"))),
      spread(of(list, "p99")),
      Math.round(median(of(list, figure.name))),
    ]),
  ]);
}

/** How long the slowest hundredth of a workspace may take next to a busy one. */
const longest = (alone) => Math.max(5 * alone, 100);

const longer = (ours, theirs) => ratio(of(ours, "p99"), of(theirs, "p99"));

/** The rows of the first version of this benchmark. */
async function neighbours() {
  const among = await amongFailingDestinations();
  show("healthy webhooks", among, { title: "arrived in time/s", name: "perSecond" });
  console.log("");
  const crowdedByBacklog = await nextToABacklog();
  show("quiet workspace", crowdedByBacklog, { title: "of the backlog/s", name: "backlogPerSecond" });
  console.log("");
  const attacked = await nextToHangingReceivers({ workers: 1, rounds: ROUNDS, ms: QUIET_MS });
  const shared = await nextToHangingReceivers(
    isFull
      ? { workers: HANGING_WORKERS, rounds: 1, ms: 300_000 }
      : { workers: HANGING_WORKERS, rounds: ROUNDS, ms: SHARED_QUIET_MS },
  );
  show("quiet workspace", new Map([...attacked, ...shared]), { title: "slots held by the other", name: "held" });
  console.log("");
  const [without, failing] = [...among.values()];
  const [alone, crowded, , backlogAlone] = [...crowdedByBacklog.values()];
  const p99 = (list) => median(of(list, "p99"));
  const drained = ratio(of(crowded, "backlogPerSecond"), of(backlogAlone, "backlogPerSecond"));
  const [calm, hanging] = [...attacked.values()];
  const [calmShared, hangingShared] = [...shared.values()];
  const share = ratio(of(failing, "perSecond"), of(without, "perSecond"));
  return {
    figures: {
      ...Object.fromEntries(among),
      ...Object.fromEntries(crowdedByBacklog),
      hanging: Object.fromEntries([...attacked, ...shared]),
    },
    bars: [
      {
        text: `p99 of healthy destinations next to failing ones: ${longer(failing, without).toFixed(2)} × (bar 2)`,
        met: longer(failing, without) <= 2,
      },
      {
        text: `throughput of healthy destinations next to failing ones: ${share.toFixed(2)} (bar 0.90)`,
        met: share >= 0.9,
      },
      {
        text: `p99 of the quiet workspace next to a backlog: ${Math.round(p99(crowded))} ms (bar ${Math.round(longest(p99(alone)))})`,
        met: p99(crowded) <= longest(p99(alone)),
      },
      {
        text: `what the backlog keeps of its rate next to the quiet workspace: ${drained.toFixed(2)} (bar 0.8)`,
        met: drained >= 0.8,
      },
      {
        text: `p99 of the quiet workspace next to hanging receivers: ${longer(hanging, calm).toFixed(2)} × (bar 2)`,
        met: longer(hanging, calm) <= 2,
      },
      {
        text: `… with ${HANGING_WORKERS} workers: ${longer(hangingShared, calmShared).toFixed(2)} × (bar 2)`,
        met: longer(hangingShared, calmShared) <= 2,
      },
    ],
  };
}

async function attacks() {
  const rows = await measureAttacks({ rounds: ROUNDS, ms: attackMs, named });
  const unwanted = named ? null : await countUnwanted({ webhooks: UNWANTED_WEBHOOKS, ms: UNWANTED_MS });
  table([
    ["attack of another workspace", "victim", "p99 ms alone", "under attack", "failures", "attacker keeps", "bars"],
    ...rows.map(({ name, victim, alone, attacked, failures, keeps, kept }) => [
      name,
      victim,
      Math.round(alone),
      Math.round(attacked),
      failures,
      kept === null ? "–" : kept.toFixed(2),
      `${Math.round(longest(alone))} ms, 0 failures${keeps === null ? "" : `, ${keeps}`}`,
    ]),
  ]);
  return {
    figures: { attacks: rows, ...(unwanted === null ? {} : { unwanted }) },
    bars: [
      ...rows.map(({ name, victim, alone, attacked, failures }) => ({
        text: `p99 of another workspace's ${victim} under ${name}: ${Math.round(attacked)} ms (bar ${Math.round(longest(alone))}), ${failures} failures (bar 0)`,
        met: attacked <= longest(alone) && failures === 0,
      })),
      ...rows
        .filter(({ keeps }) => keeps !== null)
        .map(({ name, keeps, kept }) => ({
          text: `what the attacker keeps of its rate, ${name}: ${kept.toFixed(2)} (bar ${keeps})`,
          met: kept >= keeps,
        })),
      ...(unwanted === null
        ? []
        : [
            {
              text: `requests within a minute to a host that refuses ${UNWANTED_WEBHOOKS.toLocaleString("en")} webhooks: ${unwanted} (bar ${UNWANTED_MAX})`,
              met: unwanted <= UNWANTED_MAX,
            },
          ]),
    ],
  };
}

const parts = [...(attacksOnly ? [] : [await neighbours()]), await attacks()];
conclude(
  "isolation",
  Object.assign({}, ...parts.map(({ figures }) => figures)),
  parts.flatMap(({ bars }) => bars),
);
await stop(loader.child);
