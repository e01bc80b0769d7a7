import { LRUCache } from "lru-cache";

interface LruOptions<V> {
  /** Milliseconds after which an entry is forgotten. */
  ttl?: number;
  dispose?: (value: V) => void;
}

/**
 * A cache of at most `max` entries, of which the least recently used is forgotten first. The library's own `max` would reserve
 * memory for all of them at once, more than 2 MB for 100,000. As a size it grows with what it holds.
 */
export function createLru<K extends string | number, V extends NonNullable<unknown>>(
  max: number,
  options: LruOptions<V> = {},
): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: max, sizeCalculation: () => 1, ...options });
}
