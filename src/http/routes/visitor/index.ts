import type { ContactPresence } from "../../../conversations/presence.ts";
import type { SecretBox } from "../../../core/secret-box.ts";
import type { Database } from "../../../db/database.ts";
import type { Outbox } from "../../../events/outbox.ts";
import type { UploadLimits } from "../../../files/upload.ts";
import type { VisitorSignals } from "../../../visitors/signals.ts";
import type { RouteSpec } from "../../pipeline/route.ts";
import type { VisitorStreams } from "../../streams/visitor-streams.ts";
import { fileRoutes } from "./files.ts";
import type { VisitorLimits } from "./limits.ts";
import { messageRoutes } from "./messages.ts";
import { sessionRoutes } from "./session.ts";
import { streamRoutes } from "./stream.ts";

export interface VisitorRouteDeps {
  db: Database;
  outbox: Outbox;
  secretBox: SecretBox;
  limits: VisitorLimits;
  fileLimits: UploadLimits;
  signals: VisitorSignals;
  presence: ContactPresence;
  streams: VisitorStreams;
  publicUrl: string | null;
}

/** What a visitor's frame requests. Each route begins with the same decision about who this is (visitors/authorise.ts). */
export const visitorRoutes = (deps: VisitorRouteDeps): RouteSpec[] => [
  ...messageRoutes(deps),
  ...sessionRoutes(deps),
  ...fileRoutes(deps),
  ...streamRoutes(deps),
];
