import type { QueryClient } from "@tanstack/react-query";
import {
  type BulkChange,
  type Conversation,
  cachedConversation,
  changeConversations,
  setReadState,
} from "../../../api/conversations.ts";
import { toast } from "../../../components/toast.tsx";
import { t } from "../../../lib/texts.ts";
import { inverseOf } from "../inverse-of.ts";
import { countOf } from "./count-of.ts";
import type { InboxSelection } from "./selection.ts";

const BATCH = 100;

interface Batch {
  ids: number[];
  set: BulkChange;
}

/** The conversations that were not changed. */
async function apply(client: QueryClient, { ids, set }: Batch): Promise<number[]> {
  const failed: number[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const result = await changeConversations(client, { ids: batch, set }).catch(() => null);
    failed.push(...batch.filter((id) => !result || result.failed.some((one) => one.id === id)));
  }
  return failed;
}

/** Changes every selected conversation and says so, with an Undo. Those that fail stay selected. */
export async function changeSelected(
  client: QueryClient,
  selection: InboxSelection,
  { set, done }: { set: BulkChange; done: (n: number) => string },
): Promise<void> {
  const ids = [...selection.selected];
  const before = ids.flatMap((id) => cachedConversation(client, id) ?? []);
  selection.clear();
  const failed = await apply(client, { ids, set });
  selection.select(failed);
  const undo = async () => {
    const changed = before.filter(({ id }) => !failed.includes(id));
    const left: number[] = [];
    for (const batch of inverseBatches(set, changed)) left.push(...(await apply(client, batch)));
    toast(left.length === 0 ? t("Undone") : t("{n} could not be undone", { n: left.length }), {
      failed: left.length > 0,
    });
  };
  const action = { label: t("Undo"), run: () => void undo() };
  if (failed.length > 0)
    toast(t("{n} of {n2} could not be changed", { n: failed.length, n2: ids.length }), { failed: true });
  else toast(done(ids.length), before.length === ids.length ? { action } : {});
}

/** Marks every selected conversation as unread and says so. Those that fail stay selected. */
export async function markSelectedUnread(client: QueryClient, selection: InboxSelection): Promise<void> {
  const ids = [...selection.selected];
  selection.clear();
  const failed: number[] = [];
  for (const id of ids) await setReadState(client, { id, read: null }).catch(() => failed.push(id));
  selection.select(failed);
  if (failed.length > 0)
    toast(t("{n} of {n2} could not be marked as unread", { n: failed.length, n2: ids.length }), { failed: true });
  else toast(t("{ids} marked as unread", { ids: countOf(ids) }));
}

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
