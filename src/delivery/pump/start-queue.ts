import { createTimeSlicer } from "../../core/time-slicer.ts";
import type { ClaimedDelivery } from "../../queue/claim.ts";
import { type Lane, laneName } from "../../queue/lane.ts";
import type { WebhookSettings } from "../../webhooks/settings.ts";
import { createLaneRing } from "../lanes/lane-ring.ts";

/** A claimed delivery with the settings of its webhook. */
export interface PreparedDelivery {
  claim: ClaimedDelivery;
  /** The id of the worker that claimed it. One whose lease has expired meanwhile has a new id. */
  claimedBy: number;
  /** Absent: they cannot be read. */
  settings: WebhookSettings | undefined;
}

export type StartQueue = ReturnType<typeof createStartQueue>;

interface StartQueueOptions {
  start: (delivery: PreparedDelivery) => unknown;
  /** The last delivery of a lane that waited here was started. */
  onLaneStarted: (lane: Lane) => unknown;
}

/**
 * Claimed deliveries that wait to be started. A claim may bring hundreds of one workspace: they are started a few at a
 * time, workspaces take turns and so do the webhooks of each, so that a single delivery of another workspace or webhook
 * does not wait behind them.
 */
export function createStartQueue({ start, onLaneStarted }: StartQueueOptions) {
  const ring = createLaneRing();
  const waiting = new Map<string, PreparedDelivery[]>();
  const startSome = createTimeSlicer(takeNext, (delivery: PreparedDelivery) => {
    start(delivery);
    if (!waiting.has(laneName(delivery.claim))) onLaneStarted(delivery.claim);
  });

  function takeNext(): PreparedDelivery | undefined {
    const [lane] = ring.take(1);
    if (!lane) return undefined;
    const name = laneName(lane);
    const deliveries = waiting.get(name) as PreparedDelivery[];
    const next = deliveries.shift();
    if (deliveries.length > 0) ring.add(lane);
    else waiting.delete(name);
    return next;
  }

  return {
    add(deliveries: readonly PreparedDelivery[]): void {
      for (const delivery of deliveries) {
        const name = laneName(delivery.claim);
        const before = waiting.get(name);
        if (before) before.push(delivery);
        else waiting.set(name, [delivery]);
        ring.add(delivery.claim);
      }
      startSome();
    },
    /** Whether deliveries of this lane wait here. */
    has: (lane: Lane): boolean => waiting.has(laneName(lane)),
  };
}
