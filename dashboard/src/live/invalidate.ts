import type { QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";

const DELAY_MS = 300;

/**
 * Reads queries again that are in use and marks the others. A request in flight is not cancelled, or a burst of events
 * would never let one end; but its response may be older than the event, so these queries are read once more after it.
 */
export async function readAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  const inFlight = new Set(client.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" }));
  await client.invalidateQueries(filters, { cancelRefetch: false });
  if (inFlight.size === 0) return;
  await client.invalidateQueries({ predicate: (query) => inFlight.has(query) }, { cancelRefetch: false });
}

/**
 * Collects keys and reads them again together: a burst of events costs one request per list, not one per event. Queries that
 * nobody looks at are only marked.
 */
export function createInvalidator(client: QueryClient): { add: (...keys: QueryKey[]) => void; close: () => void } {
  const waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  async function flush(): Promise<void> {
    timer = undefined;
    if (running) return schedule();
    running = true;
    const keys = [...waiting.values()];
    waiting.clear();
    await Promise.all(keys.map((queryKey) => readAgain(client, { queryKey })));
    running = false;
  }
  function schedule(): void {
    timer ??= setTimeout(() => void flush(), DELAY_MS);
  }
  return {
    add(...keys) {
      for (const key of keys) waiting.set(JSON.stringify(key), key);
      schedule();
    },
    close: () => clearTimeout(timer),
  };
}
