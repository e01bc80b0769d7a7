/** A file of a message that has not been sent; `id` once it has been uploaded. */
export interface OutgoingFile {
  name: string;
  size: number;
  id?: string;
}

/** Why an entry is not sent any more until the visitor decides. */
export type Problem = "refused" | "file-refused" | "file-lost" | "ended";

/** A message that the server has not confirmed. */
export interface Entry {
  /** Sent with every attempt: the server stores a message with this id once. */
  id: string;
  /** The uuid of a conversation, or `new:…` for one that begins with this message. */
  conversation: string;
  body: string;
  files: readonly OutgoingFile[];
  name?: string;
  email?: string;
  page?: string;
  createdAt: number;
  problem: Problem | null;
}

export type Outbox = readonly Entry[];

export const isLocal = (conversation: string): boolean => conversation.startsWith("new:");

/** The change of one entry, or several; none of these functions changes its argument. */
export function add(outbox: Outbox, entry: Entry): Outbox {
  if (outbox.some(({ id }) => id === entry.id)) return outbox;
  return [...outbox, entry].sort((one, other) => one.createdAt - other.createdAt);
}

/** The server has stored it. What waits for the same new conversation belongs to the stored one from now on. */
export function confirm(outbox: Outbox, id: string, conversation: string): Outbox {
  const local = outbox.find((entry) => entry.id === id)?.conversation;
  return outbox
    .filter((entry) => entry.id !== id)
    .map((entry) => (local && isLocal(local) && entry.conversation === local ? { ...entry, conversation } : entry));
}

export const remove = (outbox: Outbox, id: string): Outbox => outbox.filter((entry) => entry.id !== id);

export const fail = (outbox: Outbox, id: string, problem: Problem): Outbox => update(outbox, id, { problem });

/** The visitor wants it sent again. A file that was lost is left out; after the end of a session a new conversation begins. */
export function retry(outbox: Outbox, id: string): Outbox {
  const entry = outbox.find((one) => one.id === id);
  if (!entry) return outbox;
  const files = entry.problem === "file-lost" ? entry.files.filter((file) => file.id) : entry.files;
  const conversation = entry.problem === "ended" && !isLocal(entry.conversation) ? `new:${id}` : entry.conversation;
  return update(outbox, id, { problem: null, files, conversation });
}

export function uploaded(outbox: Outbox, id: string, file: { index: number; id: string }): Outbox {
  const entry = outbox.find((one) => one.id === id);
  if (!entry) return outbox;
  const files = entry.files.map((one, index) => (index === file.index ? { ...one, id: file.id } : one));
  return update(outbox, id, { files });
}

/** The session has ended: nothing is sent by itself any more, and nothing that was typed is lost. */
export const endAll = (outbox: Outbox): Outbox => outbox.map((entry) => ({ ...entry, problem: "ended" as const }));

/** One after the other, in the order in which they were written. */
export const nextToSend = (outbox: Outbox): Entry | undefined => outbox.find(({ problem }) => problem === null);

/** How long to wait after this many failures: doubling from one second to fifteen. */
export const retryDelayMs = (failures: number): number => Math.min(15_000, 1_000 * 2 ** Math.max(0, failures - 1));

function update(outbox: Outbox, id: string, change: Partial<Entry>): Outbox {
  return outbox.map((entry) => (entry.id === id ? { ...entry, ...change } : entry));
}
