import type { RouteSpec } from "../../pipeline/route.ts";
import { fileRoutes } from "./files.ts";
import { messageRoutes } from "./messages.ts";
import type { VisitorRouteOptions } from "./route-options.ts";
import { sessionRoutes } from "./session.ts";
import { streamRoutes } from "./stream.ts";

/** What a visitor's frame requests. Each route begins with the same decision about who this is (visitors/authorise.ts). */
export const visitorRoutes = (options: VisitorRouteOptions): RouteSpec[] => [
  ...messageRoutes(options),
  ...sessionRoutes(options),
  ...fileRoutes(options),
  ...streamRoutes(options),
];
