/**
 * Where the focus goes back to when a dialog closes. Loaded with the page and not with the dialogs, because it has to have
 * seen what was focused before the first one.
 */

/** What was focused last on the page itself, outside menus and dialogs. */
let lastOnPage: Element | null = null;
let lastInDialog: Element | null = null;
document.addEventListener("focusin", ({ target }) => {
  const element = target instanceof Element ? buttonOfMenu(target) : null;
  if (!element || element.closest("[role=menu]")) return;
  if (element.closest("[role=dialog]")) lastInDialog = element;
  else lastOnPage = element;
});

/** For what is in a menu, the button that opened it: a click on that button focuses the menu and never the button. */
function buttonOfMenu(element: Element): Element {
  const button = element.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return (button && document.getElementById(button)) || element;
}

/**
 * The item of a menu is gone when focus goes back, and a field of the dialog itself may have it already. A click next to an
 * open dialog focuses nothing: a question that this causes gives the focus back to that dialog, not to the page behind it.
 */
export function openerOf(focused: Element | null, dialog: Element): Element | null {
  const isOpener = focused && focused !== document.body && !focused.closest("[role=menu]") && !dialog.contains(focused);
  if (isOpener) return focused;
  return lastInDialog?.isConnected && !dialog.contains(lastInDialog) ? lastInDialog : lastOnPage;
}

export const lastFocusedOnPage = (): Element | null => lastOnPage;
