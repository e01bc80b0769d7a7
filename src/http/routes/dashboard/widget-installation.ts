import { Type } from "typebox";
import { Timestamp } from "../../../resources/common.ts";
import { installationOf } from "../../../widgets/installation.ts";
import { findWidget } from "../../../widgets/widgets.ts";
import { route } from "./services.ts";

const WidgetInstallation = Type.Object(
  {
    last_message_at: Type.Union([Timestamp, Type.Null()]),
    url: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "WidgetInstallation" },
);

/** Where the latest conversation of a widget began, which shows that its snippet works. */
export const widgetInstallationRoutes = [
  route({
    method: "GET",
    path: "/widgets/{widget}/installation",
    summary: "See where the latest conversation of a widget began",
    access: "widgets:manage",
    success: { status: 200, data: WidgetInstallation },
    handler: async ({ caller, params }, { db }) => {
      const { id } = await findWidget(db, caller.workspaceId, params.widget);
      return { data: await installationOf(db, caller.workspaceId, id) };
    },
  }),
];
