import { Fault, invalid } from "../core/errors.ts";
import { parseRef } from "../core/ids.ts";
import { type ConversationChange, patchConversation } from "./conversations.ts";
import { type Named, namedProblems } from "./named-resources.ts";
import type { WriteContext } from "./write-context.ts";

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
  const result: BulkResult = { updated: [], failed: [] };
  // Always in the same order, so that two of these requests never deadlock.
  for (const id of [...new Set(ids)].sort(byId)) {
    try {
      const ref = parseRef(String(id));
      if (!ref) throw new Fault("NOT_FOUND", "The conversation does not exist.");
      result.updated.push((await patchConversation(write, ref, change)).id);
    } catch (error) {
      // The domain refuses before it writes; whatever the database refuses ends the transaction.
      if (!(error instanceof Fault) || !["NOT_FOUND", "VALIDATION_ERROR"].includes(error.code)) throw error;
      result.failed.push({ id, code: error.code, message: sentenceOf(error) });
    }
  }
  return result;
}

const byId = (a: Named, b: Named): number =>
  typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));

const sentenceOf = ({ message, details }: Fault): string =>
  Object.values(details ?? {})
    .flat()
    .join(" ") || message;
