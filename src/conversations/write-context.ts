import type { Caller } from "../core/caller.ts";
import type { Tx } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";

/** What every change takes: its transaction, where its events go, and its caller. */
export interface WriteContext {
  tx: Tx;
  outbox: Outbox;
  caller: Caller;
}
