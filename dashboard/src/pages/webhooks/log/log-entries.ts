/** What a row of the log opens: an attempt, and the event that it belongs to. */
export interface LogEntry {
  id: number;
  eventId: string;
}

/** The entries above and below an attempt; an older attempt of an event has the position of its event. */
export function neighboursOf(
  entries: readonly LogEntry[],
  { id, eventId }: { id: number; eventId: string | undefined },
): { previous: LogEntry | null; next: LogEntry | null } {
  const exact = entries.findIndex((entry) => entry.id === id);
  const index = exact === -1 ? entries.findIndex((entry) => entry.eventId === eventId) : exact;
  if (index === -1) return { previous: null, next: null };
  return { previous: entries[index - 1] ?? null, next: entries[index + 1] ?? null };
}
