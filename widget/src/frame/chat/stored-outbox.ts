import type { Entry, Outbox } from "../logic/outbox.ts";
import type { Storage } from "../storage.ts";

const PREFIX = "outbox.";

/** One name per entry: two tabs that write at the same time overwrite nothing of each other. */
export function saveOutbox(storage: Storage, before: Outbox, after: Outbox): void {
  for (const entry of after) if (!before.includes(entry)) storage.write(PREFIX + entry.id, JSON.stringify(entry));
  for (const { id } of before) if (!after.some((entry) => entry.id === id)) storage.remove(PREFIX + id);
}

/** What a page that was closed, reloaded or killed has left to send. Its files were in memory, unless they were uploaded. */
export function loadOutbox(storage: Storage): Outbox {
  return storage
    .names(PREFIX)
    .flatMap((name) => parse(storage.read(name)))
    .map((entry) =>
      entry.problem === null && entry.files.some(({ id }) => !id) ? { ...entry, problem: "file-lost" as const } : entry,
    )
    .sort((one, other) => one.createdAt - other.createdAt);
}

function parse(stored: string | null): Entry[] {
  try {
    const entry = JSON.parse(stored ?? "null") as Entry | null;
    return typeof entry?.id === "string" && Array.isArray(entry.files) ? [entry] : [];
  } catch {
    return [];
  }
}

/** The entry that a name in storage belongs to; null: another name. */
export const entryIdOf = (name: string): string | null => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null);
