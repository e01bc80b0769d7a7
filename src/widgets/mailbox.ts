import { type FieldErrors, invalid } from "../core/errors.ts";
import { parseRef, refValues } from "../core/ids.ts";
import { type Queryable, sql } from "../db/database.ts";

/** A mailbox as a body names it: its id, or its uuid as text. Null: none. Undefined: as before. */
type NamedMailbox = number | string | null | undefined;

const WRONG = "mailbox_id must be the id or uuid of a mailbox, or null.";
const findStatement = sql(
  "widget_mailbox_find",
  "select id from mailboxes where workspace_id = $1 and (id = $2 or uuid = $3)",
);

export async function mailboxProblems(db: Queryable, workspaceId: number, named: NamedMailbox): Promise<string[]> {
  return (await find(db, workspaceId, named)) === "unknown" ? [WRONG] : [];
}

/** Its id. Throws where there is no such mailbox any more. */
export async function resolveMailbox<Input extends { mailbox_id?: NamedMailbox }>(
  db: Queryable,
  workspaceId: number,
  input: Input,
): Promise<Input & { mailbox_id: number | null | undefined }> {
  const found = await find(db, workspaceId, input.mailbox_id);
  if (found === "unknown") throw invalid({ mailbox_id: [WRONG] } satisfies FieldErrors);
  return { ...input, mailbox_id: found };
}

async function find(
  db: Queryable,
  workspaceId: number,
  named: NamedMailbox,
): Promise<number | null | undefined | "unknown"> {
  if (named === undefined || named === null) return named;
  const ref = parseRef(String(named));
  if (!ref) return "unknown";
  const [row] = await db.query<{ id: number }>(findStatement, [workspaceId, ...refValues(ref)]);
  return row?.id ?? "unknown";
}
