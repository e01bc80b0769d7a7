import { loadedLater } from "../../../lib/loaded-later.ts";

/** One file, so that a reply can be sent wherever it could be typed. */
const load = async () => {
  const [drafts, outbox] = await Promise.all([import("./draft-effects.ts"), import("./outbox-effects.ts")]);
  return { drafts, outbox };
};

/** How drafts and replies get to the server: not needed to show them. */
export const effects = loadedLater(load);
