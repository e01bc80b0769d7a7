import type { KeyOptions } from "../auth/keys.ts";
import { createLastUsed } from "../auth/last-used.ts";
import { createUsage } from "../auth/usage.ts";
import { createVerifier } from "../auth/verifier.ts";
import { ensureFirstWorkspace } from "../auth/workspaces.ts";
import type { Config } from "../config/index.ts";
import { startSearchUpkeep } from "../conversations/search-upkeep.ts";
import { type Closers, createClosers } from "../core/closers.ts";
import type { Logger } from "../core/logger.ts";
import { readVersion } from "../core/package-files.ts";
import type { Tracing } from "../core/tracing.ts";
import { createDatabase } from "../db/database.ts";
import { createLeaseStore } from "../db/lease-store.ts";
import { foldListCounts, startFolding } from "../db/list-counts.ts";
import { createNotifications } from "../db/notifications.ts";
import { watchSchema } from "../db/schema-watch.ts";
import { createMailCounts } from "../email/counts.ts";
import { createMailParser } from "../email/parse/parser.ts";
import { createEventTail } from "../events/event-tail.ts";
import { createSequencer } from "../events/sequencer.ts";
import { createReverifier } from "../http/pipeline/credentials.ts";
import { createEventStreams } from "../http/streams/event-stream.ts";
import { createEventWaits } from "../http/streams/event-waits.ts";
import { createVisitorStreams } from "../http/streams/visitor-streams.ts";
import { createTierLimiter, defaultWorkspaceLimit, type Limit } from "../rate-limit/limiter.ts";
import { createSharedLimiter } from "../rate-limit/shared-limiter.ts";
import { foldConversationStats } from "../stats/conversation-stats.ts";
import { foldDeliveryStats } from "../stats/delivery-stats.ts";
import { openStore, type Store, type StoreOptions } from "../store.ts";
import { startAlertParts } from "./alert-parts.ts";
import { startDeliveryParts } from "./delivery-parts.ts";
import { shareEventOrder } from "./event-order.ts";
import { createMailCheck } from "./mail-check-parts.ts";
import { startMailParts } from "./mail-parts.ts";
import { openPush, startNotifyParts } from "./notify-parts.ts";
import { sessionPolicyOf } from "./settings.ts";

export interface PartsOptions extends Omit<StoreOptions, "mode"> {
  /** False: webhooks are left to other nodes and to workers. */
  deliver?: boolean;
}

const COUNTS_MS = 1_000;
/** Charts are read rarely, and folding is cheaper for many differences together. */
const STATS_MS = 5_000;

export type AppParts = Awaited<ReturnType<typeof startParts>>;

/** Everything that the HTTP server depends on. */
export async function startParts(options: PartsOptions, closers: Closers) {
  const { config, logger, deliver = true } = options;
  const store = closers.add(await openStore({ ...options, mode: "own" }));
  const { db } = store;
  const tracing = await openTracing(config, closers);
  const workspace = await ensureFirstWorkspace(db);
  const tiers = closers.add(await startTierLimiter(config, logger, store));
  const lastUsed = closers.add(createLastUsed(db, logger));
  const usage = closers.add(createUsage(db, logger));
  closers.add(startFolding(db, logger, { folds: [foldListCounts], pauseMs: COUNTS_MS }));
  closers.add(startFolding(db, logger, { folds: [foldDeliveryStats, foldConversationStats], pauseMs: STATS_MS }));
  closers.add(startSearchUpkeep(db, logger));
  const bootstrapSecret = config.PARLEY_BOOTSTRAP_API_KEY;
  const verifier = closers.add(await createVerifier({ db, logger, lastUsed, bootstrapSecret }));
  const sequencer = closers.add(createSequencer({ db, logger }));
  const tail = closers.add(createEventTail({ db, logger, sequencer }));
  const streams = createEventStreams({
    db,
    logger,
    sequencer,
    tail,
    verifier: createReverifier({ db, verifier, sessionPolicy: sessionPolicyOf(config) }),
    limits: { perKey: config.PARLEY_STREAMS_PER_KEY_MAX, perWorkspace: config.PARLEY_STREAMS_PER_WORKSPACE_MAX },
  });
  const waits = createEventWaits(tail);
  const streamsMax = config.PARLEY_VISITOR_STREAMS_MAX;
  const visitorStreams = createVisitorStreams({ db, logger, secretBox: store.secretBox, sequencer, tail, streamsMax });
  const notifications = closers.add(createNotifications({ db, connection: store.listenConnection, logger }));
  shareEventOrder(notifications, { sequencer, tail }, tiers.nodes);
  const onAppended = sequencer.wake;
  const deliveryParts = closers.add(
    await startDeliveryParts({ config, logger, store, notifications, onAppended, deliver, tracing }),
  );
  const { outbox } = deliveryParts;
  const mailParser = closers.add(createMailParser());
  const mailCheck = closers.add(createMailCheck(config, store));
  const mailCounts = createMailCounts();
  const mailOut = closers.add(startMailParts({ config, logger, store, outbox, counts: mailCounts, deliver }));
  const { pushes, alerts, notify } = await startPeopleParts(config, logger, store, closers);
  const writers = [deliveryParts, mailOut, notify, alerts];
  const stopWriting = async () => void (await Promise.all(writers.map((writer) => writer.close())));
  const schema = closers.add(watchSchema({ db, logger, notifications, onOutdated: stopWriting }));
  const keys: KeyOptions = { outbox, tiers, keysMax: config.PARLEY_API_KEYS_MAX, onChanged: verifier.forget };
  const auth = { workspace, tiers, usage, verifier, keys };
  const events = { sequencer, streams, visitorStreams, waits, notifications };
  return {
    store,
    tracing,
    ...auth,
    ...events,
    deliveryParts,
    mailParser,
    mailOut,
    mailCheck,
    mailCounts,
    alerts,
    pushes,
    schema,
  };
}

/** What reaches people: alerts, pushes, and who is notified of a message. */
async function startPeopleParts(config: Config, logger: Logger, store: Store, closers: Closers) {
  const pushes = await openPush(config, store, closers);
  const alerts = closers.add(startAlertParts(config, logger, store, pushes.push));
  const { onQueued, notices } = alerts;
  const notify = closers.add(startNotifyParts({ config, logger, store, onQueued, sendsMail: notices !== null }));
  return { pushes, alerts, notify };
}

/** Loaded only where it is on. */
export async function openTracing(config: Config, closers: Closers): Promise<Tracing | null> {
  const { PARLEY_TRACES_URL: url, PARLEY_TRACES_HEADERS: headers, PARLEY_TRACES_PERCENT: percent } = config;
  if (url === null) return null;
  const { startTracing } = await import("../tracing/otlp.ts");
  return closers.add(await startTracing({ url, headers, percent, version: readVersion() }));
}

/** Apart from the pool of the API, so that leases neither wait for requests nor keep them waiting. */
const LIMITS_POOL_SIZE = 2;
const LEASE_MS_MAX = 2_000;

function workspaceLimitOf({ PARLEY_WORKSPACE_RATE_LIMIT: limit, PARLEY_RATE_LIMIT_TIERS: tiers }: Config) {
  return limit === "unlimited" ? null : (limit ?? defaultWorkspaceLimit(tiers));
}

/** Rate limits that all nodes share, with database connections of their own. */
async function startTierLimiter(config: Config, logger: Logger, { connection }: Store) {
  const closers = createClosers();
  const settings = { connection, poolSize: LIMITS_POOL_SIZE, logger, queryMsMax: LEASE_MS_MAX };
  const db = closers.add(createDatabase({ ...settings, applicationName: "parley-limits" }));
  const leases = closers.add(await createLeaseStore(db, logger));
  let fallbacks = 0;
  const onFallback = () => {
    fallbacks++;
  };
  const tiers = createTierLimiter(config.PARLEY_RATE_LIMIT_TIERS, (limit, tier) =>
    createSharedLimiter(limit, tier, leases, { onFallback }),
  );
  const ceiling = workspaceLimitOf(config);
  const workspaces = ceiling && createSharedLimiter(ceiling, "workspace", leases, { onFallback });
  const stats = () => ({ nodes: leases.nodes(), fallbacks });
  const limiterOf = (limit: Limit, name: string) => createSharedLimiter(limit, name, leases, { onFallback });
  return { ...tiers, workspaces, limiterOf, nodes: leases.nodes, stats, close: closers.close };
}
