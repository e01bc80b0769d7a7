import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createStateDirectory } from "../core/create-directory.ts";
import { writeDurable } from "../core/durable-file.ts";
import { readIfPresent } from "../core/read-if-present.ts";

export interface ListenState {
  secret: string;
  /** The secret was created just now; it is shown this once. */
  isNew: boolean;
  cursor(): string | null;
  save(cursor: string): void;
}

interface ListenIdentity {
  directory: string;
  url: string;
  key: string;
  /** Two listeners of one key that forward to different targets have separate cursors. */
  target: string;
}

/** What a listener remembers on disk: one signing secret per server and key, one cursor per destination. */
export function openListenState({ directory, url, key, target }: ListenIdentity): ListenState {
  const folder = join(directory, "listen");
  createStateDirectory(folder);
  const name = digest(`${url}\0${key}`);
  const secretFile = join(folder, `${name}.secret`);
  const cursorFile = join(folder, `${name}-${digest(target)}.cursor`);
  // Of two listeners that start at once, one creates it and both read it.
  const isNew = writeDurable(secretFile, `whsec_${randomBytes(32).toString("base64")}`, { ifAbsent: true });
  return {
    secret: readFileSync(secretFile, "utf8").trim(),
    isNew,
    cursor: () => readIfPresent(cursorFile),
    save: (cursor) => void writeDurable(cursorFile, cursor),
  };
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
