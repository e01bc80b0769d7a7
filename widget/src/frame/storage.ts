/**
 * The frame's own storage, which the browser keeps apart for each site that embeds it. It may be blocked, full or emptied at any
 * time: then what was written is kept in memory, as long as this page lives.
 */
export interface Storage {
  read(name: string): string | null;
  write(name: string, value: string): void;
  remove(name: string): void;
  /** The names that begin with this prefix. */
  names(prefix: string): string[];
  clear(): void;
  /** Another tab has changed something. */
  onChange(act: (name: string, value: string | null) => void): void;
}

export function openStorage(publicId: string, stored: () => globalThis.Storage = () => localStorage): Storage {
  const prefix = `parley.${publicId}.`;
  const memory = new Map<string, string>();
  const attempt = <Value>(act: (storage: globalThis.Storage) => Value, otherwise: Value): Value => {
    try {
      return act(stored());
    } catch {
      return otherwise;
    }
  };
  const names = (start: string) => {
    const keys = attempt(
      (storage) => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? ""),
      [],
    );
    const own = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    return [...new Set([...own, ...memory.keys()])].filter((name) => name.startsWith(start));
  };
  const remove = (name: string) => {
    memory.delete(name);
    attempt((storage) => storage.removeItem(prefix + name), undefined);
  };
  return {
    read: (name) => memory.get(name) ?? attempt((storage) => storage.getItem(prefix + name), null),
    write(name, value) {
      const isStored = attempt((storage) => {
        storage.setItem(prefix + name, value);
        return true;
      }, false);
      if (isStored) memory.delete(name);
      else memory.set(name, value);
    },
    remove,
    names,
    clear: () => names("").forEach(remove),
    onChange(act) {
      addEventListener("storage", ({ key, newValue }) => {
        if (key === null) act("", null);
        else if (key.startsWith(prefix)) act(key.slice(prefix.length), newValue);
      });
    },
  };
}
