import { Type } from "typebox";
import type { Database } from "../../../db/database.ts";
import { Timestamp } from "../../../resources/common.ts";
import { installationOf } from "../../../widgets/installation.ts";
import { findWidget } from "../../../widgets/widgets.ts";
import { type RouteSpec, route } from "../../pipeline/route.ts";

const WidgetInstallation = Type.Object(
  {
    last_message_at: Type.Union([Timestamp, Type.Null()]),
    url: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "WidgetInstallation" },
);

/** Where the latest conversation of a widget began, which shows that its snippet works. */
export const widgetInstallationRoutes = (db: Database): RouteSpec[] => [
  route({
    method: "GET",
    path: "/widgets/{widget}/installation",
    summary: "See where the latest conversation of a widget began",
    access: "widgets:manage",
    success: { status: 200, data: WidgetInstallation },
    handler: async ({ caller, params }) => {
      const { id } = await findWidget(db, caller.workspaceId, params.widget);
      return { data: await installationOf(db, caller.workspaceId, id) };
    },
  }),
];
