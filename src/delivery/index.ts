import type { Caller } from "../core/caller.ts";
import { SYSTEM } from "../core/caller.ts";
import { startLoop } from "../core/loop.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { type AddressPolicy, createOutbound, type EgressProxy, type Lookup } from "../url-guard/index.ts";
import { disableWebhook } from "../webhooks/webhooks.ts";
import { USER_AGENT } from "./attempts/attempt-detail.ts";
import { type Engine, type EngineOptions, NO_ENGINE, startEngine } from "./engine.ts";
import { sendTest, type TestRequest, type TestResult } from "./history/test-send.ts";
import type { Disable } from "./pump/disabler.ts";
import { watchClock } from "./worker/clock-watch.ts";
import { runHousekeeping } from "./worker/housekeeping.ts";

export type { Lane } from "../queue/lane.ts";
export { readBacklog } from "./history/backlog.ts";
export { readCurrentHealth } from "./history/current-health.ts";
export { EVENT_DELIVERY_STATES, type EventDelivery, readEventDeliveries } from "./history/event-deliveries.ts";
export { readEventOutcomes } from "./history/event-outcomes.ts";
export { readWebhookHealth } from "./history/health.ts";
export { logReader } from "./history/log-list.ts";
export { readLog } from "./history/logs.ts";
export { recover, redeliver } from "./history/replay.ts";

interface DeliveryOptions extends Omit<EngineOptions, "outbound" | "disable"> {
  /** A pool of its own, so that a busy engine and a busy API do not starve each other. */
  engineDb: Database;
  outbox: Outbox;
  policy: AddressPolicy;
  lookup: Lookup;
  /** Absent: connections are direct. */
  proxy: EgressProxy | undefined;
  retentionDays: number;
  /** The housekeeping of other parts, run with ours. */
  housekeeping: () => Promise<unknown>;
  /** False: nothing is claimed here. Tests of webhooks and housekeeping work as usual. */
  deliver: boolean;
}

/** The public interface of this folder. */
export interface Delivery extends Omit<Engine, "close"> {
  /** Sends a test payload to one webhook and waits for the outcome. */
  test(caller: Caller, test: TestRequest): Promise<TestResult>;
  close(): Promise<void>;
}

const ORIGINS_MAX = 10_240;
const CONNECTIONS_PER_ORIGIN = 256;
const HOUSEKEEPING_MS = 10 * 60_000;
/** A person waits for the result of a test: it may take as long to end as an attempt. */
const TEST_GRACE_MS = 15_000;

export async function startDelivery(options: DeliveryOptions): Promise<Delivery> {
  const { db, engineDb, logger, secretBox, outbox, policy } = options;
  const pools = {
    policy,
    lookup: options.lookup,
    proxy: options.proxy,
    userAgent: USER_AGENT,
    originsMax: ORIGINS_MAX,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
  };
  const disable: Disable = async ({ workspaceId, webhookId, webhookVersion: failedVersion }, reason) => {
    const caller = { ...SYSTEM, workspaceId };
    const { is_active } = await db.transaction((tx) =>
      disableWebhook(tx, { outbox, secretBox }, caller, { ref: { id: webhookId }, reason, failedVersion }),
    );
    if (is_active) return;
    logger.warn({ workspace_id: workspaceId, webhook_id: webhookId, reason }, "disabled a webhook");
  };
  const engine = options.deliver
    ? await startEngine({ ...options, db: engineDb, outbound: createOutbound(pools), disable })
    : NO_ENGINE;
  // A person waits for the result of a test send: its connections are not shared with the pump.
  const testOutbound = createOutbound({ ...pools, originsMax: 64, connectionsPerOrigin: 8 });

  const housekeeping = startLoop({
    work: () => runHousekeeping(db, logger, options.retentionDays, options.housekeeping),
    pauseMs: HOUSEKEEPING_MS,
    onError: (error) => logger.warn({ err: error.message }, "housekeeping failed, retrying later"),
  });
  const clock = watchClock({ db, logger, schedule: options.schedule, onAhead: housekeeping.now });

  return {
    ...engine,
    test: (caller, test) =>
      sendTest({ db, secretBox, outbox, outbound: testOutbound, policy, lookup: options.lookup }, caller, test),
    async close() {
      await Promise.all([
        engine.close(),
        testOutbound.close({ graceMs: TEST_GRACE_MS }),
        clock.close(),
        housekeeping.close(),
      ]);
    },
  };
}
