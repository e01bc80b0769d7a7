import { hostname } from "node:os";
import type { Config } from "../config/index.ts";
import { startConversationLoops } from "../conversations/loops.ts";
import { createClosers } from "../core/closers.ts";
import type { Logger } from "../core/logger.ts";
import type { Tracing } from "../core/tracing.ts";
import { createDatabase } from "../db/database.ts";
import type { Notifications } from "../db/notifications.ts";
import { type Delivery, startDelivery } from "../delivery/index.ts";
import { createOutbox } from "../events/outbox.ts";
import { createFanOut } from "../queue/fan-out.ts";
import { PLAN_BY_INDEX, type Store } from "../store.ts";
import { deleteExpired } from "./delete-expired.ts";
import { networkOf } from "./network.ts";
import { openWakeUps } from "./wake-ups.ts";

// The queue's few statements are large and have one good plan each: planning them again for every batch would waste time.
export const PLAN_FOR_QUEUE = `${PLAN_BY_INDEX} -c enable_hashjoin=off -c enable_mergejoin=off -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan`;

const ENGINE_POOL_SIZE = 4;

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
export async function startDeliveryParts(options: DeliveryPartsOptions) {
  const { config, logger, notifications, onAppended, deliver } = options;
  const { db, secretBox, connection } = options.store;
  const closers = createClosers();
  let delivery: Delivery | null = null;
  const wakeUps = openWakeUps(notifications, () => delivery);
  const outbox = createOutbox({
    fanOut: createFanOut(
      (workspaceId, webhookIds) => wakeUps.wake(webhookIds.map((webhookId) => ({ workspaceId, webhookId }))),
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
      ...networkOf(config),
      schedule: config.PARLEY_RETRY_SCHEDULE,
      concurrency: config.PARLEY_DELIVERY_CONCURRENCY,
      webhookConcurrency: config.PARLEY_WEBHOOK_CONCURRENCY,
      retentionDays: config.PARLEY_RETENTION_DAYS,
      workerName: `${hostname()}:${process.pid}`,
      passOn: wakeUps.passOn,
      housekeeping: () => deleteExpired(db),
      deliver,
      tracing: options.tracing ?? undefined,
    }),
  );
  closers.add(startConversationLoops(db, outbox, logger));
  return { outbox, delivery: { ...delivery, wake: wakeUps.wake }, close: closers.close };
}
