const NAME = "parley.shortcuts";

/** Single-key shortcuts can be turned off: they may clash with a screen reader or with dictation. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(NAME) !== "off";
  } catch {
    return true;
  }
}

export function setShortcuts(on: boolean): void {
  try {
    localStorage.setItem(NAME, on ? "on" : "off");
  } catch {
    // Storage is disabled: they stay on.
  }
}
