import type { QueryClient, QueryKey } from "@tanstack/react-query";

const DELAY_MS = 300;

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
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }, { cancelRefetch: false })));
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
