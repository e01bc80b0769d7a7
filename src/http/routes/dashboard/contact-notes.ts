import { Type } from "typebox";
import { MANAGERS, ROLES } from "../../../accounts/roles.ts";
import { addContactNote, deleteContactNote, listContactNotes } from "../../../conversations/contact-notes.ts";
import { Id, Timestamp } from "../../../resources/common.ts";
import { route } from "./services.ts";
import { sessionOf } from "./signing-in.ts";

const PATH = "/contacts/{contact}/notes";
const roles = ROLES;

const ContactNote = Type.Object(
  {
    id: Id,
    author: Type.Object({ id: Id, name: Type.String() }),
    body: Type.String(),
    created_at: Timestamp,
  },
  { title: "ContactNote" },
);

/** Internal notes about a contact. */
export const contactNoteRoutes = [
  route({
    method: "GET",
    path: PATH,
    summary: "List the notes about a contact",
    access: "any",
    roles,
    success: { status: 200, data: Type.Array(ContactNote) },
    handler: async ({ caller, params }, { db }) => ({
      data: await listContactNotes(db, caller.workspaceId, params.contact),
    }),
  }),
  route({
    method: "POST",
    path: PATH,
    summary: "Write a note about a contact",
    access: "any",
    roles,
    body: Type.Object({ body: Type.String({ trim: true, minLength: 1, maxLength: 4_000 }) }),
    success: { status: 201, data: ContactNote },
    handler: ({ caller, params, body, request, write }) => {
      const { id, name } = sessionOf(request).user;
      const note = { contact: params.contact, author: { id, name }, body: body.body };
      return write(async (tx) => ({ data: await addContactNote(tx, caller.workspaceId, note) }));
    },
  }),
  route({
    method: "DELETE",
    path: `${PATH}/{note}`,
    summary: "Delete a note about a contact",
    access: "any",
    roles,
    success: { status: 200, data: ContactNote },
    handler: ({ caller, params, request, write }) => {
      const { user, workspace } = sessionOf(request);
      const isManager = MANAGERS.includes(workspace.role);
      const deletion = { ...params, userId: user.id, isManager };
      return write(async (tx) => ({ data: await deleteContactNote(tx, caller.workspaceId, deletion) }));
    },
  }),
];
