import { t } from "./texts.ts";

/** The key of shortcuts such as ⌘K: Ctrl everywhere but on a Mac. */
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Not a constant: this file is loaded before the texts are. */
export const modifier = (): string => (isMac ? "⌘" : t("Ctrl"));
