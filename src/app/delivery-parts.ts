import { hostname } from "node:os";
import { expireChallenges } from "../accounts/challenges.ts";
import { expireDevices } from "../accounts/devices.ts";
import { expireInvitations } from "../accounts/invitations.ts";
import { expireResets } from "../accounts/password-resets.ts";
import { expireSessions } from "../accounts/sessions.ts";
import { expireUsage } from "../auth/usage.ts";
import type { Config } from "../config/index.ts";
import { startConversationLoops } from "../conversations/loops.ts";
import { createClosers } from "../core/closers.ts";
import type { Logger } from "../core/logger.ts";
import { runEach } from "../core/run-each.ts";
import type { Tracing } from "../core/tracing.ts";
import { expireAttempts } from "../db/attempt-counters.ts";
import { createDatabase, type Database } from "../db/database.ts";
import { expireRateLimits } from "../db/lease-store.ts";
import type { Notifications } from "../db/notifications.ts";
import { type Delivery, type Lane, startDelivery } from "../delivery/index.ts";
import { expireEventTraces } from "../events/event-traces.ts";
import { createOutbox, type Outbox } from "../events/outbox.ts";
import { expireFiles } from "../files/files.ts";
import { expireIdempotencyKeys } from "../http/pipeline/idempotency.ts";
import { createFanOut } from "../queue/fan-out.ts";
import { laneName } from "../queue/lane.ts";
import { PLAN_BY_INDEX, type Store } from "../store.ts";
import {
  type AddressPolicy,
  createAddressPolicy,
  createLookup,
  type EgressProxy,
  egressProxyOf,
} from "../url-guard/index.ts";
import { expireVisitorSessions } from "../visitors/sessions.ts";

// The queue's few statements are large and have one good plan each: planning them again for every batch would waste time.
export const PLAN_FOR_QUEUE = `${PLAN_BY_INDEX} -c enable_hashjoin=off -c enable_mergejoin=off -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan`;

const DELIVERY_CHANNEL = "parley_deliveries";
/** Ends the message of a lane that its preferred worker has no room for: any other worker may claim from it. */
const PASSED_ON = "!";
const ENGINE_POOL_SIZE = 4;

interface DeliveryParts {
  outbox: Outbox;
  delivery: Delivery;
  close(): Promise<void>;
}

interface DeliveryPartsOptions {
  config: Config;
  logger: Logger;
  store: Store;
  notifications: Notifications;
  /** Called after a commit that appended events. */
  onAppended: () => void;
  /** False: this process writes deliveries and leaves sending them to others. */
  deliver: boolean;
  tracing: Tracing | null;
}

/** The outbox with its fan-out, and the engine it wakes: here and, by notifications, in every other process. */
export async function startDeliveryParts(options: DeliveryPartsOptions): Promise<DeliveryParts> {
  const { config, logger, notifications, onAppended, deliver } = options;
  const { db, secretBox, connection } = options.store;
  const closers = createClosers();
  let delivery: Delivery | null = null;
  const channel = notifications.open(DELIVERY_CHANNEL, (messages) => {
    // Too many lanes to name in one notification: search all of them.
    if (!messages) return delivery?.wakeAll();
    const isPassedOn = (message: string): boolean => message.endsWith(PASSED_ON);
    delivery?.wake(messages.filter((message) => !isPassedOn(message)).map(toLane), { onlyOwn: true });
    delivery?.wake(messages.filter(isPassedOn).map(toLane), { onlyOwn: false });
  });
  function wakeEverywhere(lanes: readonly Lane[]): void {
    // Where notifications work, all workers get this wake-up. Otherwise only this one does, and takes all lanes.
    delivery?.wake(lanes, { onlyOwn: channel.isListening });
    // Whether there are other workers is known as of the last heartbeat. One that has registered since then is not notified
    // and finds the work by its discovery.
    if (delivery?.hasOtherWorkers() ?? true) for (const lane of lanes) channel.publish(laneName(lane));
  }
  const outbox = createOutbox({
    fanOut: createFanOut(
      (workspaceId, webhookIds) => wakeEverywhere(webhookIds.map((webhookId) => ({ workspaceId, webhookId }))),
      (workspaceId) => delivery?.beginEarlyClaim(workspaceId) ?? null,
    ),
    onAppended,
  });
  const engineDb = closers.add(
    createDatabase({
      connection: { ...connection, options: PLAN_FOR_QUEUE },
      poolSize: ENGINE_POOL_SIZE,
      logger,
      applicationName: "parley-delivery",
    }),
  );
  const heartbeatDb = closers.add(
    createDatabase({ connection, poolSize: 1, logger, applicationName: "parley-heartbeat" }),
  );
  delivery = closers.add(
    await startDelivery({
      db,
      engineDb,
      heartbeatDb,
      logger,
      secretBox,
      outbox,
      policy: policyOf(config),
      lookup: createLookup({ servers: config.PARLEY_DNS_SERVERS }),
      proxy: proxyOf(config),
      schedule: config.PARLEY_RETRY_SCHEDULE,
      concurrency: config.PARLEY_DELIVERY_CONCURRENCY,
      webhookConcurrency: config.PARLEY_WEBHOOK_CONCURRENCY,
      retentionDays: config.PARLEY_RETENTION_DAYS,
      workerName: `${hostname()}:${process.pid}`,
      passOn: (lanes) => {
        for (const lane of lanes) channel.publish(`${laneName(lane)}${PASSED_ON}`);
      },
      housekeeping: () => deleteExpired(db),
      deliver,
      tracing: options.tracing ?? undefined,
    }),
  );
  closers.add(startConversationLoops({ db, outbox, logger }));
  return { outbox, delivery: { ...delivery, wake: wakeEverywhere }, close: closers.close };
}

export const policyOf = (config: Config): AddressPolicy =>
  createAddressPolicy({ allowedCidrs: config.PARLEY_ALLOWED_CIDRS });

export const proxyOf = ({ PARLEY_EGRESS_PROXY: url }: Config): EgressProxy | undefined =>
  url === null ? undefined : egressProxyOf(url);

function toLane(message: string): Lane {
  const [workspaceId = 0, webhookId = 0] = message.replace(PASSED_ON, "").split(":").map(Number);
  return { workspaceId, webhookId };
}

/** The housekeeping of every part that has no loop of its own. */
function deleteExpired(db: Database): Promise<void> {
  const parts = [
    expireIdempotencyKeys,
    expireRateLimits,
    expireAttempts,
    expireSessions,
    expireDevices,
    expireChallenges,
    expireInvitations,
    expireResets,
    expireUsage,
    expireFiles,
    expireVisitorSessions,
    expireEventTraces,
  ];
  return runEach(parts.map((expire) => () => expire(db)));
}
