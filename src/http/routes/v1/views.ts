import { Type } from "typebox";
import type { Caller } from "../../../core/caller.ts";
import { NAME_PATTERN } from "../../../core/control-characters.ts";
import { problems } from "../../../core/errors.ts";
import { CONVERSATION_SORTS, ViewRecord } from "../../../resources/view.ts";
import { createView, deleteView, findView, listViews, lockView, patchView } from "../../../views/views.ts";
import { BoundedListQuery, partOf } from "../../pipeline/bounded-list.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { IF_MATCH, requireMatch, withEtag } from "../../pipeline/versions.ts";
import { choiceOrDefault, orDefault } from "./or-default.ts";
import { route } from "./services.ts";
import { filterProblems, knownFilters, ViewFilters } from "./view-filters.ts";
import { viewResponse } from "./visible-fields.ts";

const ITEM = "/views/{view}";
const POSITION_MAX = 1_000_000;

const FIELDS = {
  name: Type.String({
    trim: true,
    "x-null": true,
    minLength: 1,
    maxLength: 255,
    pattern: NAME_PATTERN,
    examples: ["Urgent, without assignee"],
  }),
  shared: orDefault<boolean>("boolean", {
    examples: [true],
    description: "Whether everybody sees it. False by default for people; views of API keys are always shared.",
  }),
  filters: Type.Optional(
    Type.Unsafe<ViewFilters | null>({
      ...ViewFilters,
      type: ["object", "null"],
      "x-forms": [ViewFilters, { type: "null" }],
      "x-null": true,
    }),
  ),
  sort: choiceOrDefault(CONVERSATION_SORTS, "As of `GET /conversations`; `created` by default."),
  position: orDefault<number>("integer", {
    minimum: 0,
    maximum: POSITION_MAX,
    description: "Views are listed by it, then by id; after the others by default.",
  }),
};

type ViewBody = { shared?: boolean | null; filters?: ViewFilters | null };

const check = ({ caller, body }: { caller: Caller; body: ViewBody }) =>
  problems({
    shared: body.shared === false && caller.actor.type !== "user" ? ["shared must be true for views of API keys."] : [],
    filters: filterProblems(knownFilters(body.filters)),
  });

export const viewRoutes = [
  route({
    method: "GET",
    path: "/views",
    summary: "List views",
    description:
      "Saved filters of the list of conversations, in their order: the shared ones and those of the signed-in person.",
    access: "conversations:read",
    query: Type.Object(BoundedListQuery),
    success: { status: 200, data: Type.Array(ViewRecord), paged: "optional" },
    handler: async ({ caller, query }, { db }) => {
      const items = await listViews(db, caller);
      const path = `${API_BASE}/views`;
      const { workspaceId } = caller;
      return partOf({ name: "views", workspaceId, path, items, identityOf: ({ id }) => id }, query);
    },
  }),
  route({
    method: "POST",
    path: "/views",
    summary: "Save a view",
    description: "At most 100 in a workspace and 50 of one person.",
    access: "conversations:write",
    body: Type.Object(FIELDS),
    success: { status: 201, data: ViewRecord },
    visible: viewResponse,
    check,
    handler: ({ caller, body, write }) =>
      write(async (tx) => viewResponse(caller, await createView(tx, caller, withKnownFilters(body)), body)),
  }),
  route({
    method: "GET",
    path: ITEM,
    summary: "Get a view",
    access: "conversations:read",
    success: { status: 200, data: ViewRecord },
    handler: async ({ caller, params, reply }, { db }) => ({
      data: withEtag(reply, await findView(db, caller, params.view)),
    }),
  }),
  route({
    method: "PATCH",
    path: ITEM,
    summary: "Change a view",
    description: `Only the given fields are changed, \`filters\` as a whole; null restores a default. Everybody may change a shared view, and only its owner makes it private. ${IF_MATCH}`,
    access: "conversations:write",
    body: Type.Partial(Type.Object(FIELDS)),
    errors: ["PRECONDITION_FAILED"],
    success: { status: 200, data: ViewRecord },
    exists: ({ caller, params }, { db }) => findView(db, caller, params.view),
    check,
    handler: ({ caller, params, body, request, reply, write }) =>
      write(async (tx) => {
        await requireMatch(request, () => lockView(tx, caller, params.view));
        const view = await patchView(tx, caller, params.view, withKnownFilters(body));
        return viewResponse(caller, withEtag(reply, view), body);
      }),
  }),
  route({
    method: "DELETE",
    path: ITEM,
    summary: "Delete a view",
    description: "Its conversations stay.",
    access: "conversations:write",
    success: { status: 200, data: ViewRecord },
    handler: ({ caller, params, write }) =>
      write(async (tx) => viewResponse(caller, await deleteView(tx, caller, params.view))),
  }),
];

const withKnownFilters = <Body extends ViewBody>(body: Body): Body =>
  body.filters === undefined ? body : { ...body, filters: knownFilters(body.filters) };
