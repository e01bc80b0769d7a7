import { Type } from "typebox";
import { ROLES } from "../../../accounts/roles.ts";
import { viewerOf } from "../../../conversations/conversation-find.ts";
import { conversationReader } from "../../../conversations/conversation-list.ts";
import type { Caller } from "../../../core/caller.ts";
import type { Database } from "../../../db/database.ts";
import { Id } from "../../../resources/common.ts";
import type { ViewRecord } from "../../../resources/view.ts";
import { listViews } from "../../../views/views.ts";
import { conversationFilterOf } from "../v1/conversation-filter.ts";
import { queryOf, type ViewFilters } from "../v1/view-filters.ts";
import { route } from "./services.ts";

/** Beyond it a sidebar shows "99+": a count reads no more entries of an index than this. */
const COUNT_MAX = 100;

const ViewCount = Type.Object({ id: Id, count: Type.Integer({ minimum: 0, maximum: COUNT_MAX }) });

/** For the sidebar: lists do not say how long they are. */
export const viewCountRoutes = [
  route({
    method: "GET",
    path: "/view-counts",
    summary: `Count the conversations of your views, each up to ${COUNT_MAX}`,
    access: "any",
    roles: ROLES,
    success: { status: 200, data: Type.Array(ViewCount) },
    handler: async ({ caller }, { db }) => {
      const counts: { id: number; count: number }[] = [];
      // One after the other: a sidebar with many views holds one connection, not all of them.
      for (const view of await listViews(db, caller))
        counts.push({ id: view.id, count: await countOf(db, caller, view) });
      return { data: counts };
    },
  }),
];

async function countOf(db: Database, caller: Caller, view: ViewRecord): Promise<number> {
  const filter = await conversationFilterOf(db, caller, queryOf(view.filters as ViewFilters));
  const options = { filters: [filter], sort: view.sort, viewerId: viewerOf(caller) };
  const { total } = await conversationReader(db, caller.workspaceId, options).count(COUNT_MAX, null);
  return total;
}
