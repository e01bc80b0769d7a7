import { ParleyError } from "@parley/client";
import { ConfigError } from "../config/index.ts";
import { Fault } from "../core/errors.ts";
import { EmbeddedRefusal } from "../db/embedded/index.ts";

/** What a person can act on, in sentences: with every invalid field, of our own API too. */
export function explain(error: unknown): string {
  if (error instanceof Fault || error instanceof ParleyError)
    return [error.message, ...Object.values(error.details ?? {}).flat()].join("\n");
  if (error instanceof ConfigError || error instanceof EmbeddedRefusal) return error.message;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    return `${error.message}. Another program listens there; set PORT to a free one.`;
  return error instanceof Error ? error.message : String(error);
}
