/**
 * Where the focus goes back to when a dialog closes. Loaded with the page and not with the dialogs, because it has to have
 * seen what was focused before the first one.
 */

/** What was focused last on the page itself, outside menus and dialogs. */
let lastOnPage: Element | null = null;
document.addEventListener("focusin", ({ target }) => {
  const element = target instanceof Element ? buttonOfMenu(target) : null;
  if (element && !element.closest("[role=menu], [role=dialog]")) lastOnPage = element;
});

/** For what is in a menu, the button that opened it: a click on that button focuses the menu and never the button. */
function buttonOfMenu(element: Element): Element {
  const button = element.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return (button && document.getElementById(button)) || element;
}

/** The item of a menu is gone when focus goes back, and a field of the dialog itself may have it already. */
export const openerOf = (focused: Element | null, dialog: Element): Element | null =>
  focused === null || focused === document.body || focused.closest("[role=menu]") || dialog.contains(focused)
    ? lastOnPage
    : focused;

export const lastFocusedOnPage = (): Element | null => lastOnPage;
