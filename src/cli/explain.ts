import { ParleyError } from "@parley/client";
import { ConfigError } from "../config/index.ts";
import { Fault } from "../core/errors.ts";
import { EmbeddedRefusal } from "../db/embedded/index.ts";

/** What a person can act on, in sentences: with every invalid field, of our own API too. */
export function explain(error: unknown): string {
  if (error instanceof Fault || error instanceof ParleyError)
    return [error.message, ...Object.values(error.details ?? {}).flat()].join("\n");
  if (error instanceof ConfigError || error instanceof EmbeddedRefusal) return error.message;
  if (error instanceof Error && "code" in error) return explainCode(error, error.code);
  return error instanceof Error ? error.message : String(error);
}

function explainCode(error: Error & { port?: number; syscall?: string }, code: unknown): string {
  if (code === "EADDRINUSE") return `${error.message}. Another program listens there; set PORT to a free one.`;
  if (code === "EACCES" && error.syscall === "listen")
    return `Port ${error.port} is reserved for root, like every port below 1024. Set PORT to 1024 or above, and put a proxy in front of it (docs/operations.md).`;
  if (code === INSUFFICIENT_PRIVILEGE)
    return `The role in DATABASE_URL lacks a right: ${error.message}. Parley creates its own tables: the role must own the database, or have CREATE in its schema public (grant create on schema public to …).`;
  return error.message;
}

const INSUFFICIENT_PRIVILEGE = "42501";
