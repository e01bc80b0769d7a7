interface Part {
  close(): Promise<void>;
}

export interface Closers extends Part {
  add<T extends Part>(part: T): T;
}

/** Closes parts in the reverse of the order in which they were built; one that fails does not keep the others open. */
export function createClosers(): Closers {
  const parts: Part[] = [];
  return {
    add(part) {
      parts.push(part);
      return part;
    },
    async close() {
      const failures: unknown[] = [];
      for (let part = parts.pop(); part; part = parts.pop())
        await part.close().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}
