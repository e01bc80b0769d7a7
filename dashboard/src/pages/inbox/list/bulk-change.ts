import { useQueryClient } from "@tanstack/react-query";
import {
  type BulkChange,
  type Conversation,
  cachedConversation,
  NOBODY,
  useBulkChange,
  useReadState,
} from "../../../api/conversations.ts";
import { toast } from "../../../components/toast.tsx";
import type { InboxSelection } from "./selection.ts";

const BATCH = 100;

interface Batch {
  ids: number[];
  set: BulkChange;
}

/** Changes every selected conversation and says so, with an Undo. Those that fail stay selected. */
export function useChangeSelected(selection: InboxSelection): (set: BulkChange, done: string) => Promise<void> {
  const client = useQueryClient();
  const { mutateAsync } = useBulkChange();
  /** The conversations that were not changed. */
  const apply = async ({ ids, set }: Batch): Promise<number[]> => {
    const failed: number[] = [];
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      const result = await mutateAsync({ ids: batch, set }).catch(() => null);
      failed.push(...batch.filter((id) => !result || result.failed.some((one) => one.id === id)));
    }
    return failed;
  };
  return async (set, done) => {
    const ids = [...selection.selected];
    const before = ids.flatMap((id) => cachedConversation(client, id) ?? []);
    selection.clear();
    const failed = await apply({ ids, set });
    for (const id of failed) selection.toggle(id);
    const undo = async () => {
      const changed = before.filter(({ id }) => !failed.includes(id));
      const left: number[] = [];
      for (const batch of inverseBatches(set, changed)) left.push(...(await apply(batch)));
      toast(left.length === 0 ? "Undone" : `${left.length} could not be undone`, { failed: left.length > 0 });
    };
    const action = { label: "Undo", run: () => void undo() };
    if (failed.length > 0) toast(`${failed.length} of ${ids.length} could not be changed`, { failed: true });
    else toast(`${countOf(ids)} ${done}`, before.length === ids.length ? { action } : {});
  };
}

/** Marks every selected conversation as unread and says so. Those that fail stay selected. */
export function useMarkSelectedUnread(selection: InboxSelection): () => Promise<void> {
  const { mutateAsync } = useReadState();
  return async () => {
    const ids = [...selection.selected];
    selection.clear();
    const failed: number[] = [];
    for (const id of ids) await mutateAsync({ id, read: null }).catch(() => failed.push(id));
    selection.select(failed);
    if (failed.length > 0) toast(`${failed.length} of ${ids.length} could not be marked as unread`, { failed: true });
    else toast(`${countOf(ids)} marked as unread`);
  };
}

export const countOf = ({ length }: { length: number }): string =>
  length === 1 ? "1 conversation" : `${length} conversations`;

/** What puts a change back: one batch for all conversations that were alike before it. */
function inverseBatches(set: BulkChange, before: readonly Conversation[]): Batch[] {
  const batches = new Map<string, Batch>();
  for (const conversation of before) {
    const inverse = inverseOf(set, conversation);
    const key = JSON.stringify(inverse);
    if (key === "{}") continue;
    const batch = batches.get(key) ?? { ids: [], set: inverse };
    batch.ids.push(conversation.id);
    batches.set(key, batch);
  }
  return [...batches.values()];
}

function inverseOf(set: BulkChange, before: Conversation): BulkChange {
  const { status, snoozed_until: until, labels } = before;
  const wakesLater = until !== null && Date.parse(until) > Date.now();
  const added = set.add_labels?.filter((label) => !labels.includes(label)) ?? [];
  const removed = set.remove_labels?.filter((label) => labels.includes(label)) ?? [];
  return {
    ...(set.status ? { status, ...(status === "snoozed" && wakesLater ? { snoozed_until: until } : {}) } : {}),
    ...(set.assignee_id === undefined ? {} : { assignee_id: before.assignee?.id ?? NOBODY }),
    ...(set.priority === undefined ? {} : { priority: before.priority ?? "" }),
    ...(added.length > 0 ? { remove_labels: added } : {}),
    ...(removed.length > 0 ? { add_labels: removed } : {}),
  };
}
