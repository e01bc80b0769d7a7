import { Type } from "typebox";
import { bulkPatch } from "../../../conversations/bulk.ts";
import type { ConversationChange } from "../../../conversations/conversations.ts";
import { snoozeProblems } from "../../../conversations/snooze.ts";
import { problems } from "../../../core/errors.ts";
import { parseTimestamp } from "../../../core/timestamps.ts";
import { nested } from "./contacts.ts";
import { CONVERSATION_FIELDS } from "./conversation-fields.ts";
import { named } from "./named-fields.ts";
import { route } from "./services.ts";

const IDS_MAX = 100;

const { status, snoozed_until, priority, labels } = CONVERSATION_FIELDS;

const BulkBody = Type.Object({
  ids: Type.Array(named("Id or uuid of a conversation."), { minItems: 1, maxItems: IDS_MAX, examples: [[42]] }),
  set: Type.Object(
    {
      ...nested({ status, snoozed_until, priority, add_labels: labels, remove_labels: labels }),
      assignee_id: Type.Optional(
        Type.Unsafe<number | string | null>({
          type: ["integer", "string", "null"],
          format: "uuid",
          minimum: 0,
          description: "Id or uuid of a member of the workspace; 0 removes the assignee.",
        }),
      ),
    },
    {
      description: "What to change, as in a PATCH of each one; at least one field.",
      examples: [{ status: "resolved", add_labels: ["orders"] }],
    },
  ),
});

const BulkResult = Type.Object(
  {
    updated: Type.Array(Type.Integer(), {
      description: "The ids of the conversations that now have the requested values.",
    }),
    failed: Type.Array(
      Type.Object({
        id: Type.Unsafe<number | string>({ type: ["integer", "string"], description: "As it was given." }),
        code: Type.String(),
        message: Type.String(),
      }),
    ),
  },
  { title: "BulkResult" },
);

export const bulkRoutes = [
  route({
    method: "POST",
    path: "/conversations/bulk",
    summary: "Change several conversations",
    description:
      "The same change for up to 100 conversations, each with its own events. One that does not exist or does not allow the change is listed in `failed` and does not affect the others.",
    access: "conversations:write",
    body: BulkBody,
    success: { status: 200, data: BulkResult },
    check: ({ body }) => {
      if (!body.set) return {};
      const change = changeOf(body.set);
      return problems({
        set: [
          ...(Object.keys(change).length === 0 ? ["set must have at least one field to change."] : []),
          ...snoozeProblems(change.snoozed_until).map((message) => `set.${message}`),
        ],
      });
    },
    handler: ({ caller, body, write }, { outbox }) =>
      write(async (tx) => ({ data: await bulkPatch({ tx, outbox, caller }, body.ids, changeOf(body.set)) })),
  }),
];

/** Without what is null, which counts as absent, and with the time as a Date. */
function changeOf(set: object): ConversationChange {
  const { snoozed_until: until, ...rest } = Object.fromEntries(
    Object.entries(set).filter(([name, value]) => value !== null && name in BulkBody.properties.set.properties),
  );
  const time = typeof until === "string" ? parseTimestamp(until) : null;
  return { ...rest, ...(time ? { snoozed_until: time } : {}) } as ConversationChange;
}
