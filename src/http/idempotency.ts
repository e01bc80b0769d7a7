import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf, type Principal } from "../auth/principal.ts";
import { conflict, invalid } from "../core/errors.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Database, sql, type Tx } from "../db/database.ts";
import type { Answer, RouteSpec } from "./route.ts";

const KEY_CHARS_MAX = 255;
const HOURS_KEPT = 24;

// The row is written in the transaction of the change: a concurrent repeat waits on the primary key until the first one
// has committed or failed, and a failure leaves nothing behind. An old row is overwritten as if it were not there.
const claim = sql(
  "idempotency_claim",
  `insert into idempotency_keys as held (workspace_id, caller, route, idempotency_key, request_digest)
   values ($1, $2, $3, $4, $5)
   on conflict (workspace_id, caller, route, idempotency_key) do update
     set request_digest = excluded.request_digest, status = null, answer = null, resource = null, created_at = now()
     where held.created_at < now() - make_interval(hours => ${HOURS_KEPT})
   returning 1 as claimed`,
);
const read = sql(
  "idempotency_read",
  `select request_digest, answer, resource from idempotency_keys
   where workspace_id = $1 and caller = $2 and route = $3 and idempotency_key = $4`,
);
const keep = sql(
  "idempotency_keep",
  `update idempotency_keys set status = $5, answer = $6, resource = $7
   where workspace_id = $1 and caller = $2 and route = $3 and idempotency_key = $4`,
);
const expire = sql(
  "idempotency_expire",
  `delete from idempotency_keys where ctid = any(array(
     select ctid from idempotency_keys where created_at < now() - make_interval(hours => ${HOURS_KEPT}) limit 5000))`,
);

/** Forgets answers past their day. Called by the housekeeping loop. */
export const expireIdempotencyKeys = (db: Database): Promise<unknown> => db.query(expire);

export interface WriteRequest {
  db: Database;
  secretBox: SecretBox;
  spec: RouteSpec;
  principal: Principal;
  request: FastifyRequest;
  reply: FastifyReply;
}

export async function writeOnce<D>(
  { db, secretBox, spec, principal, request, reply }: WriteRequest,
  work: (tx: Tx) => Promise<Answer<D>>,
): Promise<Answer<D>> {
  const key = spec.method === "POST" ? keyOf(request) : null;
  if (key === null) return db.transaction(work);
  const name = [principal.workspaceId, callerOf(principal), `${spec.method} ${request.url.split("?")[0]}`, key];
  const context = `idempotency:${name.join(":")}`;
  const digest = createHash("sha256").update(canonical(request.body)).digest();
  return db.transaction(async (tx) => {
    const [claimed] = await tx.query(claim, [...name, digest]);
    if (!claimed) {
      const [held] = await tx.query<{ request_digest: Buffer; answer: string | null; resource: string }>(read, name);
      if (!held?.request_digest.equals(digest))
        throw conflict("This Idempotency-Key was used with another body. Use a new key for a new request.");
      if (held.answer === null)
        throw conflict(
          `This Idempotency-Key has already made ${held.resource}. Its secret was shown once and is not stored; rotate it if it was lost.`,
        );
      reply.header("idempotent-replayed", "true");
      return unseal<D>(secretBox, held.answer, context);
    }
    const answer = await work(tx);
    const sealed = spec.answersKeySecret ? null : secretBox.seal(JSON.stringify(answer), context);
    await tx.query(keep, [...name, spec.success.status, sealed, resourceName(spec, answer.data)]);
    return answer;
  });
}

// With a key, the transaction stays open while the work waits for somebody outside: only a few of these at once, so that
// the others of the pool stay free. Without one there is nothing to hold.
const SLOW_AT_ONCE_MAX = 2;
const slow: { running: number; waiting: (() => void)[] } = { running: 0, waiting: [] };

export async function writeSlowlyOnce<D>(write: WriteRequest, work: () => Promise<Answer<D>>): Promise<Answer<D>> {
  if (keyOf(write.request) === null) return work();
  while (slow.running >= SLOW_AT_ONCE_MAX) await new Promise<void>((resolve) => slow.waiting.push(resolve));
  slow.running++;
  try {
    return await writeOnce(write, work);
  } finally {
    slow.running--;
    slow.waiting.shift()?.();
  }
}

function unseal<D>(box: SecretBox, answer: string, context: string): Answer<D> {
  try {
    return JSON.parse(box.open(answer, context)) as Answer<D>;
  } catch {
    // The key that sealed it was taken out of PARLEY_SECRET_KEY within the day.
    throw conflict("This Idempotency-Key was used before, and its answer can no longer be read.");
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

const resourceName = (spec: RouteSpec, data: unknown): string =>
  `${spec.tag} ${(data as { id?: number } | null)?.id ?? ""} (${(data as { uuid?: string } | null)?.uuid ?? ""})`;

/** Equal for bodies that differ only in the order of their fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
