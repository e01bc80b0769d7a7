import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Principal } from "../../auth/principal.ts";
import { conflict, invalid, unavailable } from "../../core/errors.ts";
import { startLoop } from "../../core/loop.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import { type Database, sql, type Tx } from "../../db/database.ts";
import type { RouteResponse, RouteSpec } from "./route.ts";

const KEY_CHARS_MAX = 255;
const HOURS_KEPT = 24;
/** A claim of slow work that was not renewed for this long belonged to a process that crashed. */
const SLOW_LEASE_SECONDS = 90;
const SLOW_RENEW_MS = 3_000;
const SLOW_POLL_MS = 100;

const NAMED = `workspace_id = $1
     and caller_type = $2
     and caller_id = $3
     and route = $4
     and idempotency_key = $5`;

// The row is written in the transaction of the change: a concurrent repeat waits on the primary key until the first one
// has committed or failed, and a failure leaves nothing behind. An expired row is overwritten as if it did not
// exist, and so is one whose slow work never ended because its process crashed.
const claim = sql(
  "idempotency_claim",
  `insert into idempotency_keys as held
     (workspace_id, caller_type, caller_id, route, idempotency_key, request_digest)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (workspace_id, caller_type, caller_id, route, idempotency_key) do update
     set request_digest = excluded.request_digest,
       status = null,
       response = null,
       resource = null,
       created_at = now()
     where held.created_at < now() - make_interval(hours => ${HOURS_KEPT})
       or (held.status is null and held.created_at < now() - make_interval(secs => ${SLOW_LEASE_SECONDS}))
   returning created_at::text as claimed_at`,
);
// While slow work runs: however long it takes, a repeat waits for it and does not start it a second time.
const renew = sql(
  "idempotency_renew",
  `update idempotency_keys
   set created_at = clock_timestamp()
   where ${NAMED}
     and status is null
     and created_at = $6::timestamptz
   returning created_at::text as claimed_at`,
);
const read = sql(
  "idempotency_read",
  `select request_digest, status, response, resource
   from idempotency_keys
   where ${NAMED}
     and created_at >= now() - make_interval(hours => ${HOURS_KEPT})`,
);
const keep = sql(
  "idempotency_keep",
  `update idempotency_keys
   set status = $6,
     response = $7,
     resource = $8
   where ${NAMED}
     and created_at = $9::timestamptz`,
);
const drop = sql(
  "idempotency_drop",
  `delete from idempotency_keys
   where ${NAMED}
     and status is null
     and created_at = $6::timestamptz`,
);
const EXPIRED = `created_at < now() - make_interval(hours => ${HOURS_KEPT})`;
// The condition is written twice: a key that is claimed again while this statement waits for its row is a new one.
const expire = sql(
  "idempotency_expire",
  `delete from idempotency_keys
   where ctid = any(array(
       select ctid
       from idempotency_keys
       where ${EXPIRED}
       limit 5000))
     and ${EXPIRED}`,
);

/** Deletes stored responses older than HOURS_KEPT. Called by the housekeeping loop. */
export const expireIdempotencyKeys = (db: Database): Promise<unknown> => db.query(expire);

interface WriteRequest {
  db: Database;
  secretBox: SecretBox;
  spec: RouteSpec;
  principal: Principal;
  request: FastifyRequest;
  reply: FastifyReply;
  /** What identifies a repeat, if it is not the body itself. */
  identity?: object;
}

/** The stored response if the request is a repeat. Read before any check whose outcome may have changed since. */
export async function findReplay(write: WriteRequest): Promise<RouteResponse | null> {
  const row = rowOf(write);
  if (!row) return null;
  const [held] = await write.db.query<HeldRow>(read, row.name);
  return held && held.status !== null ? replay(write, row, held) : null;
}

/**
 * With an `Idempotency-Key`, `work` runs at most once, in the transaction that stores its response. Without one, its change
 * may leave the transaction, to be written together with those of other requests.
 */
export async function writeOnce<D>(
  write: WriteRequest,
  work: (tx: Tx) => Promise<RouteResponse<D>>,
): Promise<RouteResponse<D>> {
  const row = rowOf(write);
  const { workspaceId } = write.principal ?? {};
  if (!row) return write.db.transaction(work, { mayLeave: true, workspaceId });
  return write.db.transaction(
    async (tx) => {
      const [claimed] = await tx.query<Claimed>(claim, [...row.name, row.digest]);
      if (claimed) {
        const response = await work(tx);
        await tx.query(keep, [...keptValues(write, row, response), claimed.claimed_at]);
        return response;
      }
      const [held] = await tx.query<HeldRow>(read, row.name);
      if (!held) throw conflict("This Idempotency-Key is in use. Try again.");
      return replay<D>(write, row, held);
    },
    { workspaceId },
  );
}

/**
 * The same for work that waits for another server, during which no transaction is held. The row is committed first, without
 * a response; repeats poll until it has one.
 */
export async function writeOnceWithoutTransaction<D>(
  write: WriteRequest,
  work: () => Promise<RouteResponse<D>>,
): Promise<RouteResponse<D>> {
  const row = rowOf(write);
  if (!row) return work();
  const claimed = await claimOrWait<D>(write, row);
  if ("response" in claimed) return claimed.response;
  const lease = keepClaimed(write.db, row, claimed.claimed_at);
  try {
    const response = await work();
    await write.db.query(keep, [...keptValues(write, row, response), await lease.end()]);
    return response;
  } catch (error) {
    await write.db.query(drop, [...row.name, await lease.end()]).catch(() => {});
    throw error;
  }
}

/** The claim, or the response of the first request with this key once it has one. */
async function claimOrWait<D>(
  write: WriteRequest,
  row: IdempotencyRow,
): Promise<Claimed | { response: RouteResponse<D> }> {
  const deadline = performance.now() + SLOW_LEASE_SECONDS * 1_000;
  for (;;) {
    const [claimed] = await write.db.query<Claimed>(claim, [...row.name, row.digest]);
    if (claimed) return claimed;
    const [held] = await write.db.query<HeldRow>(read, row.name);
    if (held && (held.status !== null || !held.request_digest.equals(row.digest)))
      return { response: replay<D>(write, row, held) };
    if (performance.now() > deadline)
      throw unavailable("The first request with this Idempotency-Key is still in progress.");
    await sleep(SLOW_POLL_MS);
  }
}

/** Renews a claim until it ends. Its time is the fence: a request that lost the claim neither stores nor drops anything. */
function keepClaimed(db: Database, { name }: IdempotencyRow, first: string): { end(): Promise<string> } {
  let claimedAt = first;
  let isFirstTurn = true;
  const loop = startLoop({
    work: async () => {
      // The loop begins at once, and the claim is new.
      if (isFirstTurn) {
        isFirstTurn = false;
        return;
      }
      const [renewed] = await db.query<Claimed>(renew, [...name, claimedAt]);
      if (renewed) claimedAt = renewed.claimed_at;
    },
    pauseMs: SLOW_RENEW_MS,
    // The next turn tries again, long before the claim ends.
    onError: () => {},
  });
  return {
    async end() {
      await loop.close();
      return claimedAt;
    },
  };
}

interface Claimed {
  /** With all its digits. */
  claimed_at: string;
}

interface HeldRow {
  request_digest: Buffer;
  /** Null: still in progress. */
  status: number | null;
  response: string | null;
  resource: string;
}

interface IdempotencyRow {
  name: [workspaceId: number, callerType: Principal["kind"], callerId: number, route: string, key: string];
  digest: Buffer;
  context: string;
}

/** Null: the request carries no key, or is not a POST. */
function rowOf({ spec, principal, request, identity = request.body as object }: WriteRequest): IdempotencyRow | null {
  const key = spec.method === "POST" ? keyOf(request) : null;
  if (key === null) return null;
  const route = `${spec.method} ${pathOf(request)}`;
  const name: IdempotencyRow["name"] = [principal.workspaceId, principal.kind, callerId(principal), route, key];
  const query = Object.keys((request.query as object | undefined) ?? {}).length > 0 ? canonical(request.query) : "";
  const digest = createHash("sha256").update(canonical(identity)).update(query).digest();
  return { name, digest, context: `idempotency:${name.join(":")}` };
}

/** One text for every way to write a path: letters may be percent-encoded, and a uuid may be in capitals. */
function pathOf({ routeOptions, params }: FastifyRequest): string {
  const ids = params as Record<string, string>;
  return (routeOptions.url ?? "").replace(/:(\w+)/g, (_, name: string) => ids[name]?.toLowerCase() ?? "");
}

const callerId = (principal: Principal): number => (principal.kind === "user" ? principal.userId : principal.apiKeyId);

function replay<D>(write: WriteRequest, row: IdempotencyRow, held: HeldRow): RouteResponse<D> {
  const { spec, principal, secretBox, request, reply } = write;
  if (!held.request_digest.equals(row.digest))
    throw conflict("This Idempotency-Key was used with another body. Use a new key for a new request.");
  if (held.response === null)
    throw conflict(
      `This Idempotency-Key was already used for the API key ${held.resource}. Its secret was shown once and is not stored; rotate the key if it was lost.`,
    );
  reply.header("idempotent-replayed", "true");
  const stored = unseal<D>(secretBox, held.response, row.context);
  if (!spec.visible) return stored;
  const { data, reduced } = spec.visible(principal, stored.data, (request.body ?? {}) as Record<string, unknown>);
  return { ...stored, data: data as D, ...((stored.reduced ?? reduced) ? { reduced: true } : {}) };
}

function keptValues({ spec, secretBox }: WriteRequest, row: IdempotencyRow, response: RouteResponse): unknown[] {
  const sealed = spec.returnsKeySecret ? null : secretBox.seal(JSON.stringify(response), row.context);
  return [...row.name, spec.success.status, sealed, resourceName(response.data)];
}

function unseal<D>(box: SecretBox, sealed: string, context: string): RouteResponse<D> {
  try {
    return JSON.parse(box.open(sealed, context)) as RouteResponse<D>;
  } catch {
    // The key that sealed it has since been removed from PARLEY_SECRET_KEY.
    throw conflict("This Idempotency-Key was used before, and its response can no longer be read.");
  }
}

function keyOf(request: FastifyRequest): string | null {
  const header = request.headers["idempotency-key"];
  if (header === undefined || header === "") return null;
  const key = String(header);
  if (key.length > KEY_CHARS_MAX)
    throw invalid({ "Idempotency-Key": [`Idempotency-Key must have at most ${KEY_CHARS_MAX} characters.`] });
  return key;
}

const resourceName = (data: unknown): string =>
  `${(data as { id?: number } | null)?.id ?? ""} (${(data as { uuid?: string } | null)?.uuid ?? ""})`;

/** Equal for bodies that differ only in the order of their fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
