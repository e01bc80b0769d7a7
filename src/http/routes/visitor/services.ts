import type { ContactPresence } from "../../../conversations/presence.ts";
import type { SecretBox } from "../../../core/secret-box.ts";
import type { Database } from "../../../db/database.ts";
import type { Outbox } from "../../../events/outbox.ts";
import type { UploadLimits } from "../../../files/upload.ts";
import type { VisitorSignals } from "../../../visitors/signals.ts";
import { routeWith } from "../../pipeline/route.ts";
import type { VisitorStreams } from "../../streams/visitor-streams.ts";
import type { VisitorLimits } from "./limits.ts";

/** What the routes of visitors work with. */
export interface Services {
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

export const route = routeWith<Services>();
