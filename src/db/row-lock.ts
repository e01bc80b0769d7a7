import { type Ref, refValues } from "../core/ids.ts";
import { sql, type Tx } from "./database.ts";

/** Holds a row until the transaction ends, so that what is read of it now is still true when it is changed. */
export function createRowLock(table: "api_keys" | "webhooks" | "mailboxes") {
  const lockRow = sql(
    `${table}_lock_row`,
    `select id
     from ${table}
     where workspace_id = $1
       and (id = $2 or uuid = $3)
     for update`,
  );
  return async (tx: Tx, workspaceId: number, ref: Ref): Promise<void> => {
    await tx.query(lockRow, [workspaceId, ...refValues(ref)]);
  };
}
