interface PathTable {
  add(pattern: string, method: string | string[]): void;
  /** The methods that the path supports; empty: there is no such path. */
  methodsAt(path: string): string[];
}

/** Fastify sends a 404 for a known path with another method; this distinguishes the two. */
export function createPathTable(): PathTable {
  const entries = new Map<string, { matches: RegExp; methods: Set<string> }>();
  return {
    add(pattern, method) {
      let entry = entries.get(pattern);
      if (!entry) {
        const source = pattern
          .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
          .replaceAll("*", ".*")
          .replace(/:[A-Za-z_]+/g, "[^/]+");
        entry = { matches: new RegExp(`^${source}$`), methods: new Set() };
        entries.set(pattern, entry);
      }
      for (const name of [method].flat()) entry.methods.add(name);
    },
    methodsAt(path) {
      const methods = new Set<string>();
      for (const entry of entries.values())
        if (entry.matches.test(path)) for (const method of entry.methods) methods.add(method);
      return [...methods].sort();
    },
  };
}
