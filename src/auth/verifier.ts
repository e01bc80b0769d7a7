import { hash } from "node:crypto";
import { Fault } from "../core/errors.ts";
import { createFairQueue } from "../core/fair-queue.ts";
import type { Logger } from "../core/logger.ts";
import { startLoop } from "../core/loop.ts";
import { createLru } from "../core/lru.ts";
import { type Database, sql } from "../db/database.ts";
import { digestOf, isMistyped } from "./key-secret.ts";
import type { LastUsed } from "./last-used.ts";
import type { KeyPrincipal } from "./principal.ts";
import { effectiveScopes, type KeyType } from "./scopes.ts";

export interface Verifier {
  /**
   * Null: not a valid key, for whatever reason. Does no I/O for a key in the cache, for a secret with a wrong checksum and
   * for one that was refused a moment ago. Lookups take turns by the address of the client.
   */
  verify(secret: string, addressOf?: () => string): Promise<KeyPrincipal | null> | KeyPrincipal | null;
  forget(workspaceId: number, apiKeyId: number): void;
  /** Keys may have changed elsewhere: reads the changes now. */
  refresh(): void;
  close(): Promise<void>;
}

interface Entry {
  principal: KeyPrincipal;
  usable: boolean;
  /** End of the key or of this secret, whichever is sooner, in the milliseconds of `performance.now()`. */
  endsAtMs: number;
}

interface DigestRow {
  workspace_id: number;
  api_key_id: number;
  name: string;
  type: KeyType;
  abilities: string[];
  tier: string;
  allowed_ips: string[] | null;
  expires_at: string | null;
  usable: boolean;
  ends_in_ms: number | null;
  used: boolean;
  move_state: "moving" | "moved" | null;
  moved_to_cell: number | null;
}

interface ChangedRow {
  workspace_id: number;
  api_key_id: number;
  revision: number;
}

interface VerifierOptions {
  db: Database;
  logger: Logger;
  lastUsed: LastUsed;
  /** Its form and checksum are not checked. */
  bootstrapSecret: string | null;
}

const CACHE_ENTRIES_MAX = 10_000;
const REFUSED_MS = 10_000;
/** Secrets that are not in the cache share this many database connections, regardless of who sends them. */
const LOOKUPS_AT_ONCE = 4;
const LOOKUPS = {
  concurrency: LOOKUPS_AT_ONCE,
  perKey: LOOKUPS_AT_ONCE,
  waitingPerKeyMax: 500,
  onFull: () => new Fault("RATE_LIMIT_EXCEEDED", "Too many unknown API keys from this address."),
};
// What a node has cached is trusted for at most STALE_MS_MAX after it last read that nothing changed, so a revocation
// holds everywhere within a second even where notifications do not get through.
const POLL_MS = 250;
const STALE_MS_MAX = 900;
/** Without a request for this long nothing is read. The next request is verified by the database and begins it again. */
const UNUSED_MS = 10_000;

const findDigest = sql(
  "key_verify",
  `select d.workspace_id, d.api_key_id, k.name, k.type, k.abilities, k.rate_limit_tier as tier, k.allowed_ips, k.expires_at,
          not k.paused and k.revoked_at is null as usable,
          (extract(epoch from least(k.expires_at, d.valid_until) - now()) * 1000)::float8 as ends_in_ms,
          u.api_key_id is not null as used, w.move_state, w.moved_to_cell
   from api_key_digests d
   join api_keys k on k.workspace_id = d.workspace_id and k.id = d.api_key_id
   join workspaces w on w.id = d.workspace_id
   left join api_key_last_used u on u.workspace_id = d.workspace_id and u.api_key_id = d.api_key_id
   where d.digest = $1`,
);
const readRevision = sql("key_revision_read", "select value from auth_revision");
const readChanged = sql(
  "key_changed",
  "select workspace_id, id as api_key_id, revision from api_keys where revision > $1 order by revision",
);

export async function createVerifier(options: VerifierOptions): Promise<Verifier> {
  const { db, logger, lastUsed, bootstrapSecret } = options;
  const cache = createLru<string, Entry>(CACHE_ENTRIES_MAX);
  // Dropped as a whole when any key changes: one that is resumed or given more time is valid at once.
  const refused = createLru<string, true>(CACHE_ENTRIES_MAX, { ttl: REFUSED_MS });
  const lookups = createFairQueue(LOOKUPS);
  // A lookup that began before a key was dropped must not put the old state back.
  let generation = 0;

  function forget(workspaceId: number, apiKeyId: number): void {
    generation++;
    refused.clear();
    for (const [digest, { principal }] of cache.entries())
      if (principal.apiKeyId === apiKeyId && principal.workspaceId === workspaceId) cache.delete(digest);
  }

  const changes = await watchChanges(db, logger, forget);

  async function lookupKey(digest: Buffer, name: string): Promise<KeyPrincipal | null> {
    const began = generation;
    const [row] = await db.query<DigestRow>(findDigest, [digest]);
    const entry = row && entryOf(row);
    if (!entry || !isUsable(entry)) {
      if (began === generation) refused.set(name, true);
      return null;
    }
    if (row.used) lastUsed.touch(row.workspace_id, row.api_key_id);
    else await lastUsed.writeFirst(row.workspace_id, row.api_key_id);
    if (began === generation) cache.set(name, entry);
    return entry.principal;
  }

  return {
    verify(secret, addressOf = () => "") {
      const name = hash("sha256", secret, "base64");
      const isFresh = changes.areKnown();
      const entry = isFresh ? cache.get(name) : undefined;
      if (entry) {
        if (!isUsable(entry)) return null;
        lastUsed.touch(entry.principal.workspaceId, entry.principal.apiKeyId);
        return entry.principal;
      }
      if (isFresh && refused.has(name)) return null;
      if (isMistyped(secret) && secret !== bootstrapSecret) return null;
      // The database may be unavailable: each request finds that out for itself instead of waiting for the one before.
      if (!isFresh) return lookupKey(digestOf(secret), name);
      return lookups.run(addressOf(), () => lookupKey(digestOf(secret), name));
    },
    forget,
    refresh: changes.read,
    close: changes.close,
  };
}

/** Reads which keys have changed, while requests come. */
async function watchChanges(db: Database, logger: Logger, forget: (workspaceId: number, apiKeyId: number) => void) {
  const [start] = await db.query<{ value: number }>(readRevision);
  let revision = start?.value ?? 0;
  let freshAt = performance.now();
  let usedAt = freshAt;

  const isUnused = (): boolean => performance.now() - usedAt > UNUSED_MS;

  async function poll(): Promise<void> {
    if (isUnused()) return;
    const askedAt = performance.now();
    for (const row of await db.query<ChangedRow>(readChanged, [revision])) {
      forget(row.workspace_id, row.api_key_id);
      revision = row.revision;
    }
    freshAt = askedAt;
  }

  const loop = startLoop({
    work: poll,
    pauseMs: () => (isUnused() ? UNUSED_MS : POLL_MS),
    onError: ({ message }) =>
      logger.warn({ err: message }, "reading changed API keys failed, querying the database for each request"),
  });
  return {
    /** For a request: false where keys may have changed since the last poll. */
    areKnown(): boolean {
      const mustBegin = isUnused();
      usedAt = performance.now();
      if (mustBegin) loop.now();
      return usedAt - freshAt <= STALE_MS_MAX;
    },
    read: loop.now,
    close: loop.close,
  };
}

const entryOf = (row: DigestRow): Entry => ({
  principal: {
    kind: "api_key",
    workspaceId: row.workspace_id,
    apiKeyId: row.api_key_id,
    keyName: row.name,
    type: row.type,
    tier: row.tier,
    scopes: effectiveScopes(row.type, row.abilities),
    allowedIps: row.allowed_ips,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    move: row.move_state === null ? null : { state: row.move_state, cell: row.moved_to_cell ?? 0 },
  },
  usable: row.usable,
  endsAtMs: row.ends_in_ms === null ? Number.POSITIVE_INFINITY : performance.now() + row.ends_in_ms,
});

const isUsable = (entry: Entry): boolean => entry.usable && performance.now() < entry.endsAtMs;
