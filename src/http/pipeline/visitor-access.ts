import type { FastifyRequest } from "fastify";
import { Fault, notFound } from "../../core/errors.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import type { Database } from "../../db/database.ts";
import type { Limiter } from "../../rate-limit/limiter.ts";
import { authorise, sessionEnded } from "../../visitors/authorise.ts";
import { tokenDigestOf, type Visitor } from "../../visitors/visitor.ts";
import { PUBLIC_ID } from "../../widgets/public-widget.ts";
import { type Admit, addressGroup, tooMany } from "./access.ts";
import type { RouteSpec } from "./route.ts";
import { isOwnOrigin } from "./same-origin.ts";

export const VISITOR_API_BASE = "/widget-api/:public_id";
const SESSION_HEADER = "parley-session";

interface VisitorAccessOptions {
  db: Database;
  publicUrl: string | null;
  authFailures: Limiter;
}

/** Of all widgets together, and of one of them, at once: visitors who come in masses wait for each other here. */
const LOOKUPS_AT_ONCE = 4;
const LOOKUPS_PER_WIDGET = 3;
const LOOKUPS_WAITING_MAX = 500;

/** Admits the request of a visitor. A wrong token or widget counts against its address, like a wrong API key. */
export function createVisitorAccess({ db, publicUrl, authFailures }: VisitorAccessOptions): Admit {
  const lookups = createFairQueue({
    concurrency: LOOKUPS_AT_ONCE,
    perKey: LOOKUPS_PER_WIDGET,
    waitingPerKeyMax: LOOKUPS_WAITING_MAX,
    onFull: () => new Fault("RATE_LIMIT_EXCEEDED", "Too many visitors at this moment. Try again soon."),
  });

  async function refusal(request: FastifyRequest, fault: Fault): Promise<Fault> {
    const verdict = await authFailures.consume(addressGroup(request.ip));
    return verdict.allowed ? fault : tooMany(verdict, "Too many failed requests from this address.");
  }

  return async (spec: RouteSpec, request: FastifyRequest) => {
    requireFrame(request, publicUrl);
    const { public_id: publicId } = request.params as { public_id: string };
    if (!PUBLIC_ID.test(publicId)) throw await refusal(request, notFound("widget"));
    const tokenDigest = tokenDigestOf(request.headers[SESSION_HEADER]);
    if (!tokenDigest) throw await refusal(request, sessionEnded());
    const presented = { publicId, tokenDigest, needs: spec.visitor ?? "session", writes: spec.method !== "GET" };
    try {
      request.visitor = await lookups.run(publicId, () => authorise(db, presented));
    } catch (error) {
      const isWrong = error instanceof Fault && ["NOT_FOUND", "SESSION_ENDED"].includes(error.code);
      throw isWrong ? await refusal(request, error as Fault) : error;
    }
    return null;
  };
}

/** The visitor of a request that was admitted. */
export const visitorOf = ({ visitor }: FastifyRequest): Visitor => visitor as Visitor;

/** Only Parley's own frame: never a page, which could otherwise act for a visitor whose token it has come by. */
function requireFrame(request: FastifyRequest, publicUrl: string | null): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isOwn =
    origin === undefined
      ? isRead && (site === undefined || site === "same-origin" || site === "none")
      : isOwnOrigin(request, origin, publicUrl);
  if (!isOwn)
    throw new Fault(
      "WRONG_ORIGIN",
      "This request does not come from Parley's own frame. If you use this address, set PARLEY_PUBLIC_URL to it.",
    );
}
