import { Fault, notFound, unavailable } from "../core/errors.ts";
import { type Queryable, sql } from "../db/database.ts";
import { MOVING } from "../db/errors.ts";
import type { Visitor } from "./visitor.ts";

/**
 * What a route asks for. `session`: one that was started. `new`: one that may be started by this request. `anyone`: the
 * same, also without the identity that the widget or the session needs, because this request may bring it. `leaving`:
 * nothing, because a visitor may leave in every state of widget and session.
 */
export type VisitorNeeds = "session" | "new" | "anyone" | "leaving";

/** How long a token is accepted after it has expired: clocks differ. */
export const SKEW_SECONDS = 60;

// By the public id and the token alone: this is where the workspace is found. A session of another widget is unknown.
const findStatement = sql(
  "visitor_find",
  `select w.workspace_id as "workspaceId", w.is_active, workspace.move_state, workspace.moved_to_cell,
     json_build_object('id', w.id, 'uuid', w.uuid, 'publicId', w.public_id, 'allowedOrigins', w.allowed_origins,
       'collectPage', w.collect_page, 'requiresIdentity', w.require_identity) as widget,
     case when session.id is not null then
       json_build_object('id', session.id, 'contactId', session.contact_id, 'identity', session.identity)
     end as session,
     session.ended_at is not null as has_ended,
     session.identity_expires_at < now() - interval '${SKEW_SECONDS} seconds' as identity_has_expired,
     coalesce(contact.blocked, false) as is_blocked
   from widgets w
   join workspaces workspace on workspace.id = w.workspace_id
   left join visitor_sessions session
     on session.token_digest = $2
     and session.workspace_id = w.workspace_id
     and session.widget_id = w.id
   left join contacts contact
     on contact.workspace_id = session.workspace_id
     and contact.id = session.contact_id
   where w.public_id = $1`,
);

interface FoundVisitor extends Omit<Visitor, "tokenDigest"> {
  is_active: boolean;
  move_state: "moving" | "moved" | null;
  moved_to_cell: number | null;
  has_ended: boolean;
  identity_has_expired: boolean | null;
  is_blocked: boolean;
}

interface Presented {
  publicId: string;
  tokenDigest: Buffer;
  needs: VisitorNeeds;
  /** Whether the request changes anything. */
  writes: boolean;
}

/** The one place that decides which visitor this is and whether they may continue. Every visitor route begins here. */
export async function authorise(db: Queryable, presented: Presented): Promise<Visitor> {
  const { publicId, tokenDigest, needs, writes } = presented;
  const [row] = await db.query<FoundVisitor>(findStatement, [publicId, tokenDigest]);
  if (!row) throw notFound("widget");
  if (row.move_state === "moved")
    throw new Fault("MISDIRECTED_REQUEST", `This widget is in cell ${row.moved_to_cell}.`);
  if (row.move_state === "moving" && writes) throw unavailable(MOVING);
  if (needs !== "leaving") requireOpen(row, needs);
  const { workspaceId, widget, session } = row;
  return { workspaceId, widget, tokenDigest, session };
}

function requireOpen(row: FoundVisitor, needs: VisitorNeeds): void {
  if (!row.is_active) throw new Fault("WIDGET_INACTIVE", "This chat is closed.");
  if (row.session) requireUsable(row, needs);
  else if (needs === "session") throw sessionEnded();
  if (needs !== "anyone" && row.widget.requiresIdentity && !row.session?.identity)
    throw new Fault("IDENTITY_REQUIRED", "This chat is for people who are signed in to the page.");
}

function requireUsable({ is_blocked, has_ended, identity_has_expired }: FoundVisitor, needs: VisitorNeeds): void {
  if (is_blocked) throw blocked();
  if (has_ended) throw sessionEnded();
  if (identity_has_expired && needs !== "anyone")
    throw new Fault("IDENTITY_EXPIRED", "The identity token has expired. The page gives a new one.");
}

export const sessionEnded = (): Fault =>
  new Fault("SESSION_ENDED", "This chat session has ended. Send a message to start a new one.");

/** Neutral: whom it concerns need not learn why. */
export const blocked = (): Fault => new Fault("BLOCKED", "Messages cannot be sent here at the moment.");
