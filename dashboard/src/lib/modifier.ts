import { t } from "./texts.ts";

/** The key of shortcuts such as ⌘K: Ctrl everywhere but on a Mac. */
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export const MODIFIER = isMac ? "⌘" : t("Ctrl");
