import type { ClaimedDelivery } from "../queue/claim.ts";
import type { WebhookSettings } from "../webhooks/settings.ts";

export interface ReadyDelivery {
  claim: ClaimedDelivery;
  /** The worker in whose name it was claimed: one whose lease expired meanwhile has another. */
  claimedBy: number;
  /** Absent: they cannot be read. */
  settings: WebhookSettings | undefined;
}

/** Starts that fit into one turn of the event loop and leave room for whatever else waits in this process. */
const STARTS_AT_ONCE = 16;

/**
 * Claimed deliveries on their way to be sent. A claim may bring hundreds of one webhook: they are started a few at a time,
 * and webhooks take turns, so that the one delivery of another webhook does not stand behind them.
 */
interface StartLine {
  add(deliveries: readonly ReadyDelivery[]): void;
}

export function createStartLine(start: (delivery: ReadyDelivery) => void): StartLine {
  // A map keeps the order of insertion, so the first webhook is the one that has waited longest.
  const waiting = new Map<number, ReadyDelivery[]>();
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.size === 0) return;
    scheduled = true;
    setImmediate(turn);
  }

  function turn(): void {
    scheduled = false;
    for (let left = STARTS_AT_ONCE; left > 0; left--) {
      const [first] = waiting;
      if (!first) return;
      const [webhookId, deliveries] = first;
      const next = deliveries.shift() as ReadyDelivery;
      waiting.delete(webhookId);
      if (deliveries.length > 0) waiting.set(webhookId, deliveries);
      start(next);
    }
    schedule();
  }

  return {
    add(deliveries) {
      for (const delivery of deliveries) {
        const { webhookId } = delivery.claim;
        const before = waiting.get(webhookId);
        if (before) before.push(delivery);
        else waiting.set(webhookId, [delivery]);
      }
      schedule();
    },
  };
}
