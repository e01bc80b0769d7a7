import { createLru } from "../../core/lru.ts";
import { QUERY_MS_MAX } from "../../db/database.ts";
import type { EarlyClaim } from "../../events/outbox.ts";
import { type ClaimedDelivery, newClaimToken } from "../../queue/claim.ts";
import type { LaneScheduler } from "../lanes/lane-scheduler.ts";
import type { WorkerLease } from "../worker/worker-lease.ts";

interface EarlyClaimsOptions {
  scheduler: LaneScheduler;
  lease: () => WorkerLease;
  /** False: the engine is stopping. */
  mayBegin: () => boolean;
  onClaimed: (claims: readonly ClaimedDelivery[], claimedBy: number) => void;
  /** The slots that were kept for it are free again. */
  onEnded: () => void;
}

/** Deliveries of one event. */
const CLAIM_MAX = 4;
/**
 * After this many early claims in a row without a delivery, the workspace makes none for a while: it has no webhooks, too
 * many, or busy ones, and an early claim costs a seventh of the statement's time even then. If the webhooks were busy, the
 * pause ends as soon as nothing of the workspace is in flight here.
 */
const MISSES_MAX = 2;
const PAUSE_MS = 1_000;
const WORKSPACES_REMEMBERED = 10_000;

/**
 * Claims that the statement of a message makes for the deliveries that it writes. Where the engine has slots free and the
 * webhook is idle, this saves the claim, which is a quarter of the time from a message to its arrival.
 */
export function createEarlyClaims({ scheduler, lease, ...options }: EarlyClaimsOptions) {
  const running = new Set<Promise<void>>();
  /** By workspace, how many in a row claimed nothing, and whether the last one began while something was in flight. */
  const misses = createLru<number, { count: number; wasBusy: boolean }>(WORKSPACES_REMEMBERED, { ttl: PAUSE_MS });

  // Where there are other workers, the lane's preferred one is to claim.
  const mayBegin = (): boolean => options.mayBegin() && lease().workers === 1 && !lease().heartbeatIsLate();

  function isPaused(workspaceId: number): boolean {
    const missed = misses.get(workspaceId);
    if (!missed || missed.count < MISSES_MAX) return false;
    return !missed.wasBusy || scheduler.hasInFlight(workspaceId);
  }

  /** A statement whose connection was lost may still wait for a lock, and commit as late as its time limit allows. */
  function reconcile(): void {
    lease().reconcileSoon();
    setTimeout(() => lease().reconcileSoon(), QUERY_MS_MAX).unref();
  }

  function end(claimedBy: number, reserved: number, claims: readonly ClaimedDelivery[] | null): void {
    scheduler.endReservation(reserved, claims ?? []);
    if (claims === null) reconcile();
    else if (claims.length > 0) {
      lease().hold(claims);
      options.onClaimed(claims, claimedBy);
    }
    options.onEnded();
  }

  return {
    /** Null: what is queued waits for its turn. */
    begin(workspaceId: number): EarlyClaim<ClaimedDelivery> | null {
      const claimMax = mayBegin() && !isPaused(workspaceId) ? scheduler.reserve(workspaceId, CLAIM_MAX) : 0;
      if (claimMax === 0) return null;
      const wasBusy = scheduler.hasInFlight(workspaceId);
      const { workerId } = lease();
      let markReturned: () => void = () => {};
      const returned = new Promise<void>((resolve) => {
        markReturned = resolve;
      });
      running.add(returned);
      return {
        workerId,
        claimToken: newClaimToken(),
        claimMax,
        returned(claims) {
          end(workerId, claimMax, claims);
          if (claims?.length === 0)
            misses.set(workspaceId, { count: (misses.get(workspaceId)?.count ?? 0) + 1, wasBusy });
          else misses.delete(workspaceId);
          running.delete(returned);
          markReturned();
        },
      };
    },
    /** Resolves when every statement that had begun has returned or failed. */
    returned: (): Promise<unknown> => Promise.all(running),
  };
}
