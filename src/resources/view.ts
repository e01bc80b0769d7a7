import { type Static, Type } from "typebox";
import { Id, NullableString, oneOf, Timestamp, Uuid } from "./common.ts";

export const CONVERSATION_SORTS = ["created", "last_activity"] as const;
export type ConversationSort = (typeof CONVERSATION_SORTS)[number];

const VIEW_OWNERS = ["user", "api_key", "bot"] as const;

const ViewOwner = Type.Object({ type: oneOf(VIEW_OWNERS), id: Id, name: NullableString }, { title: "ViewOwner" });

export const ViewRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    shared: Type.Boolean({ description: "False: only its owner sees it. Views of API keys are always shared." }),
    owner: ViewOwner,
    filters: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      "x-forms": [{ $ref: "#/components/schemas/ViewFilters" }],
      description: "The query filters of `GET /conversations`, as they were given.",
    }),
    sort: oneOf(CONVERSATION_SORTS),
    position: Type.Integer({ minimum: 0, description: "Views are listed by it, then by id." }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "View" },
);
export type ViewRecord = Static<typeof ViewRecord>;
