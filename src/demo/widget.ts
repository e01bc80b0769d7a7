import { systemCaller } from "../core/caller.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Tx } from "../db/database.ts";
import { createWidget } from "../widgets/widgets.ts";

/** The chat of the demo's shop. Parley's own pages may always show it; this origin is that of a shop of one's own. */
export const createDemoWidget = (tx: Tx, secretBox: SecretBox, workspaceId: number): Promise<unknown> =>
  createWidget(tx, secretBox, systemCaller(workspaceId), {
    name: "Shop chat",
    allowed_origins: ["http://localhost:3000"],
    texts: { en: { title: "Fernweh", greeting: "Hello! How can we help you today?" } },
    ask_name: "optional",
  });
