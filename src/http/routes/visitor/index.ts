import { type RouteSpec, withServices } from "../../pipeline/route.ts";
import { fileRoutes } from "./files.ts";
import { messageRoutes } from "./messages.ts";
import type { Services } from "./services.ts";
import { sessionRoutes } from "./session.ts";
import { streamRoutes } from "./stream.ts";

/** What a visitor's frame requests. Each route begins with the same decision about who this is (visitors/authorise.ts). */
export const visitorRoutes = (services: Services): RouteSpec[] =>
  withServices([...messageRoutes, ...sessionRoutes, ...fileRoutes(), ...streamRoutes], services);
