import { Fault, invalid } from "../core/errors.ts";
import { parseRef } from "../core/ids.ts";
import { sql } from "../db/database.ts";
import { type ConversationChange, patchConversation } from "./conversations.ts";
import { type Named, namedProblems } from "./named-resources.ts";
import type { WriteContext } from "./write-context.ts";

const resolveStatement = sql(
  "bulk_resolve",
  `select id, uuid
   from conversations
   where workspace_id = $1
     and (id = any($2::bigint[]) or uuid = any($3::uuid[]))`,
);

interface BulkResult {
  updated: number[];
  failed: { id: Named; code: string; message: string }[];
}

/**
 * Applies the same change to each conversation, with its own events, all in one transaction. One that does not exist
 * or does not allow the change is reported and does not affect the others.
 */
export async function bulkPatch(
  write: WriteContext,
  ids: readonly Named[],
  change: ConversationChange,
): Promise<BulkResult> {
  const { tx, caller } = write;
  const { assignee_id: wrong } = await namedProblems(tx, caller.workspaceId, { assignee_id: change.assignee_id });
  if (wrong) throw invalid({ set: wrong.map((message) => `set.${message}`) });
  const { found, missing } = await resolve(write, ids);
  const failed = missing.map((id) => ({ id, code: "NOT_FOUND", message: "The conversation does not exist." }));
  const result: BulkResult = { updated: [], failed };
  // Always in the same order, however they are named, so that two of these requests never deadlock.
  for (const [id, named] of [...found].sort(([a], [b]) => a - b)) {
    try {
      await patchConversation(write, { id }, change);
      result.updated.push(id);
    } catch (error) {
      // The domain refuses before it writes; whatever the database refuses ends the transaction.
      if (!(error instanceof Fault) || !["NOT_FOUND", "VALIDATION_ERROR"].includes(error.code)) throw error;
      result.failed.push({ id: named, code: error.code, message: sentenceOf(error) });
    }
  }
  return result;
}

/** The conversations by their id, each with the name that it was given first, and the names that none has. */
async function resolve(
  { tx, caller }: WriteContext,
  ids: readonly Named[],
): Promise<{ found: Map<number, Named>; missing: Named[] }> {
  const refs = new Map([...new Set(ids)].map((named) => [named, parseRef(String(named))]));
  const given = [...refs.values()].flatMap((ref) => ref ?? []);
  const rows = await tx.query<{ id: number; uuid: string }>(resolveStatement, [
    caller.workspaceId,
    given.flatMap(({ id }) => id ?? []),
    given.flatMap(({ uuid }) => uuid ?? []),
  ]);
  const known = new Map<number | string, number>(
    rows.flatMap(({ id, uuid }) => [[id, id] as const, [uuid, id] as const]),
  );
  const found = new Map<number, Named>();
  const missing: Named[] = [];
  for (const [named, ref] of refs) {
    const id = known.get(ref?.id ?? ref?.uuid ?? "");
    if (id === undefined) missing.push(named);
    else if (!found.has(id)) found.set(id, named);
  }
  return { found, missing };
}

const sentenceOf = ({ message, details }: Fault): string =>
  Object.values(details ?? {})
    .flat()
    .join(" ") || message;
