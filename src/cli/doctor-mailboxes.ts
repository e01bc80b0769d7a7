import { type Queryable, sql } from "../db/database.ts";

const LISTED_MAX = 20;

const findStatement = sql(
  "doctor_mailboxes",
  `select count(*) over ()::int as mailboxes, mailbox.address, mailbox.workspace_id,
     coalesce(state.error, state.sending_error) as error
   from mailboxes mailbox
   join mailbox_states state
     on state.workspace_id = mailbox.workspace_id
     and state.mailbox_id = mailbox.id
   join workspaces workspace
     on workspace.id = mailbox.workspace_id
     and workspace.move_state is distinct from 'moved'
   where not mailbox.paused
   order by coalesce(state.error, state.sending_error) is null, mailbox.workspace_id, mailbox.id
   limit ${LISTED_MAX}`,
);

/** Mailboxes that are not paused, and what is wrong with those that fail. */
export async function inspectMailboxes(db: Queryable): Promise<{ what: string; toDo?: string }[]> {
  const found = await db.query<{ mailboxes: number; address: string; workspace_id: number; error: string | null }>(
    findStatement,
  );
  const failing = found.filter(({ error }) => error !== null);
  if (found.length > 0 && failing.length === 0)
    return [{ what: `Mailboxes that fetch and send without an error: ${found[0]?.mailboxes}` }];
  return failing.map(({ address, workspace_id, error }) => ({
    what: `The mailbox ${address} of workspace ${workspace_id} fails: ${error}`,
    toDo: "Check it under Settings > Mailboxes, which says at which step it fails.",
  }));
}
