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

/** What a single key does, where it works. */
export const whenFree = (act: () => void) => (event: KeyboardEvent) => {
  if (!isFreeForShortcuts(event)) return;
  event.preventDefault();
  act();
};

/** Single keys work only outside of fields, menus and dialogs, so that they never interfere with typing. */
export function isFreeForShortcuts(event: KeyboardEvent): boolean {
  if (!areShortcutsOn() || event.defaultPrevented) return false;
  const target = event.target as HTMLElement | null;
  // A row's checkbox keeps the focus after a click, and takes no letters.
  const field = "input:not([type=checkbox]), textarea, select, [contenteditable]";
  if (target?.closest(`${field}, [role=menu], [role=dialog], [role=listbox]`)) return false;
  return document.querySelector("[role=dialog], [role=menu]") === null;
}
