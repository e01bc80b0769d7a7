import type { Logger } from "../../core/logger.ts";
import { createLru } from "../../core/lru.ts";
import type { Tracing } from "../../core/tracing.ts";
import type { Database } from "../../db/database.ts";
import { readTraces } from "../../events/event-traces.ts";
import { eventPublicId } from "../../events/outbox.ts";
import type { ClaimedDelivery } from "../../queue/claim.ts";
import type { Outbound } from "../../url-guard/index.ts";

type Sender = Pick<Outbound, "send">;
type Headers = Parameters<Outbound["send"]>[0]["headers"];

export type AttemptTraces = ReturnType<typeof createAttemptTraces>;

interface AttemptTracesOptions {
  db: Database;
  logger: Logger;
  outbound: Outbound;
  tracing: Tracing;
}

/** Claims that wait to be sent; one that is released instead is forgotten with time. */
const CLAIMS_MAX = 50_000;

/** One span per attempt, in the trace of the request that caused the event; receivers get its traceparent. */
export function createAttemptTraces({ db, logger, outbound, tracing }: AttemptTracesOptions) {
  const parents = createLru<number, string>(CLAIMS_MAX);

  return {
    /** Finds the traces that these claims belong to. */
    async load(claims: readonly ClaimedDelivery[]): Promise<void> {
      const found = await readTraces(
        db,
        claims.map(({ eventUuid }) => eventUuid),
      ).catch((error: Error) => {
        logger.debug({ err: error.message }, "reading traces failed, the attempts begin their own");
        return new Map<string, string>();
      });
      for (const { deliveryId, eventUuid } of claims) {
        const parent = found.get(eventUuid);
        if (parent) parents.set(deliveryId, parent);
      }
    },
    /** Sends as before, and records it. */
    sender: (claim: ClaimedDelivery): Sender => ({
      async send(request) {
        const parent = parents.get(claim.deliveryId) ?? null;
        const span = tracing.startSpan({
          name: `deliver ${claim.eventType}`,
          kind: "client",
          parent,
          attributes: {
            "http.request.method": "POST",
            "server.address": new URL(request.url).hostname,
            "parley.event_id": eventPublicId(claim.eventUuid),
            "parley.event_type": claim.eventType,
            "parley.workspace_id": claim.workspaceId,
            "parley.webhook_id": claim.webhookId,
            "parley.attempt": claim.attemptsMade + 1,
          },
        });
        parents.delete(claim.deliveryId);
        const headers = withTraceparent(request.headers, span.traceparent);
        const result = await outbound.send({ ...request, headers });
        const failed = result.error?.message ?? (result.statusCode >= 300 ? `HTTP ${result.statusCode}` : null);
        span.end({ "http.response.status_code": result.statusCode }, failed);
        return result;
      },
    }),
  };
}

/** In the place of one that the webhook's owner has set. */
function withTraceparent(headers: Headers, traceparent: string | null): Headers {
  if (traceparent === null) return headers;
  const all: readonly (readonly [string, string])[] = isList(headers) ? headers : Object.entries(headers);
  return [...all.filter(([name]) => name.toLowerCase() !== "traceparent"), ["traceparent", traceparent]];
}

const isList = (headers: Headers): headers is readonly (readonly [string, string])[] => Array.isArray(headers);
