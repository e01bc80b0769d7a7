import { type TSchema, Type } from "typebox";
import type { ContactInput } from "../../../conversations/contact-insert.ts";
import { contactReader } from "../../../conversations/contact-list.ts";
import { contactsMeantBy } from "../../../conversations/contact-search.ts";
import { deleteContact, findContact, lockContact, patchContact } from "../../../conversations/contacts.ts";
import { problems } from "../../../core/errors.ts";
import { optionalString } from "../../../resources/common.ts";
import { ContactRecord } from "../../../resources/conversations.ts";
import { PageQuery, readPage } from "../../pipeline/paging.ts";
import { timestampParameter } from "../../pipeline/query.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { requireMatch, withEtag } from "../../pipeline/versions.ts";
import { afterBlocking } from "./contact-sessions.ts";
import { orDefault } from "./or-default.ts";
import { route } from "./services.ts";
import { contactResponse } from "./visible-fields.ts";

const EMAIL_CHARS_MAX = 320;
const ATTRIBUTES_BYTES_MAX = 16_384;

export const AttributesInput = Type.Record(Type.String(), Type.Unknown(), {
  description: `Free JSON object of your own, at most ${ATTRIBUTES_BYTES_MAX} bytes; replaces the one before.`,
});

/** Query parameters of the lists of contacts, conversations and messages. */
export const ListQuery = {
  search: optionalString(255, "Part of the text, case-insensitive; `%` and `_` are plain characters."),
  updated_since: Type.Optional(timestampParameter("Changed at this time or later; any ISO 8601 form.")),
  ...PageQuery,
};

const text = (maxLength: number, description: string) => Type.String({ trim: true, maxLength, description });

export const CONTACT_FIELDS = {
  external_id: Type.Optional(text(255, "The contact's id in your own system; unique in the workspace.")),
  name: Type.Optional(text(255, "What to call the contact.")),
  email: Type.Optional({ ...text(EMAIL_CHARS_MAX, "An e-mail address."), format: "email-address" }),
  phone: Type.Optional(text(64, "A phone number, in any form.")),
  attributes: Type.Optional(AttributesInput),
};

/** The same fields inside another body, where `null` counts as absent too. */
export function nested<T extends Record<string, TSchema>>(fields: T): T {
  const loosened = Object.entries(fields).map(([name, schema]) => {
    const { type, enum: values } = schema as TSchema & { type: string; enum?: unknown[] };
    // Symbols carry the builder's marks, `Optional` among them; a spread takes them along.
    const nullable = { ...schema, type: [type, "null"], ...(values ? { enum: [...values, null] } : {}) };
    return [name, Type.Optional(nullable as TSchema)];
  });
  return Object.fromEntries(loosened) as T;
}

/** `prefix` is the position inside the body: empty, or `contact.`. */
export const contactProblems = (input: ContactInput, prefix = ""): Record<"attributes", string[]> => ({
  attributes: attributesProblems(input.attributes, prefix),
});

export function attributesProblems(attributes: Record<string, unknown> | null | undefined, prefix = ""): string[] {
  return attributes && Buffer.byteLength(JSON.stringify(attributes)) > ATTRIBUTES_BYTES_MAX
    ? [`${prefix}attributes must have at most ${ATTRIBUTES_BYTES_MAX} bytes as JSON.`]
    : [];
}

export const contactRoutes = [
  route({
    method: "GET",
    path: "/contacts",
    summary: "List contacts",
    description:
      "Newest first. `search` matches a part of the name, email, phone or external_id; of the newest 200 contacts also words without their accents, and phone numbers whatever is between their digits.",
    access: "contacts:read",
    query: Type.Object({
      external_id: optionalString(255, "Exact match."),
      email: optionalString(EMAIL_CHARS_MAX, "Exact match, case-insensitive."),
      ...ListQuery,
    }),
    success: { status: 200, data: Type.Array(ContactRecord), paged: "always" },
    handler: async ({ caller: { workspaceId }, query }, { db }) => {
      const meant = query.search ? await contactsMeantBy(db, workspaceId, query.search) : [];
      return readPage(contactReader(db, workspaceId, { ...query, meant }), query, `${API_BASE}/contacts`);
    },
  }),
  route({
    method: "POST",
    path: "/contacts",
    summary: "Create a contact",
    description: "No field is required. An `external_id` that another contact has is a 409.",
    access: "contacts:write",
    body: Type.Object(CONTACT_FIELDS),
    success: { status: 201, data: ContactRecord },
    visible: contactResponse,
    check: ({ body }) => problems(contactProblems(body)),
    handler: ({ caller, body, write }, { outbox, writers }) =>
      write(async (tx) => contactResponse(caller, await writers.contacts.create({ tx, outbox, caller }, body), body)),
  }),
  route({
    method: "GET",
    path: "/contacts/{contact}",
    summary: "Get a contact",
    access: "contacts:read",
    success: { status: 200, data: ContactRecord },
    handler: async ({ caller, params, reply }, { db }) => ({
      data: withEtag(reply, await findContact(db, caller.workspaceId, params.contact)),
    }),
  }),
  route({
    method: "PATCH",
    path: "/contacts/{contact}",
    summary: "Change a contact",
    description:
      "Only the given fields are changed; an empty string clears its field. With `If-Match` and the `ETag` of a read, a contact that has changed since that read is not updated (412).",
    access: "contacts:write",
    body: Type.Object({
      ...CONTACT_FIELDS,
      blocked: orDefault<boolean>("boolean", {
        description: "True: the sessions of their browsers in widgets end, and they cannot write there. Null: false.",
      }),
    }),
    errors: ["CONFLICT", "PRECONDITION_FAILED"],
    success: { status: 200, data: ContactRecord },
    exists: ({ caller, params }, { db }) => findContact(db, caller.workspaceId, params.contact),
    check: ({ body }) => problems(contactProblems(body)),
    handler: async ({ caller, params, body, request, reply, write }, { outbox, visitors }) => {
      const response = await write(async (tx) => {
        const before = await lockContact(tx, caller.workspaceId, params.contact);
        await requireMatch(request, async () => before);
        const after = await patchContact({ tx, outbox, caller }, params.contact, body);
        await afterBlocking(tx, caller, { before, after });
        return contactResponse(caller, withEtag(reply, after), body);
      });
      if (body.blocked) visitors.sessionsChanged(caller.workspaceId);
      return response;
    },
  }),
  route({
    method: "DELETE",
    path: "/contacts/{contact}",
    summary: "Delete a contact",
    description: "Deleting a contact that has conversations is a 409: delete those first.",
    access: "contacts:write",
    errors: ["CONFLICT"],
    success: { status: 200, data: ContactRecord },
    handler: ({ caller, params, write }, { outbox }) =>
      write(async (tx) => contactResponse(caller, await deleteContact({ tx, outbox, caller }, params.contact))),
  }),
];
