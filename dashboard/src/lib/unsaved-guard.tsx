import { type ReactNode, useEffect, useState } from "react";
import { ConfirmDialog } from "../components/dialog.tsx";
import { t } from "./texts.ts";

type Leave = () => void;

/** The forms that are open and changed; a page may have several, and one of them asks for all. `ask` gets what leaving would do. */
const guarded = new Set<{ path: string; search: string; ask: (leave: Leave) => void }>();
const firstGuarded = () => guarded.values().next().value;

/** For the router: every link and every navigation asks the form first. */
export function aroundNavigation<Options>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  const leave = () => navigate(to, options);
  // A change of the query alone stays on the form's page.
  const staysHere = new URL(to, window.location.href).pathname === window.location.pathname;
  const form = firstGuarded();
  if (form && !staysHere) form.ask(leave);
  else leave();
}

/** The browser has already gone back: return to the form and ask, before the router sees the other address. */
window.addEventListener(
  "popstate",
  (event) => {
    const form = firstGuarded();
    if (!form || window.location.pathname === form.path) return;
    event.stopImmediatePropagation();
    history.pushState(null, "", form.path + form.search);
    form.ask(() => history.back());
  },
  { capture: true },
);

/** For a dialog with a form: asks before it is closed with changes. */
export function closeForm(close: Leave): void {
  const form = firstGuarded();
  if (form) form.ask(close);
  else close();
}

/** For a button that says that what is shown may be left. */
export const stopAsking = (): void => guarded.clear();

const CHANGES = {
  title: t("Discard your changes?"),
  text: t("What you entered on this page is not saved yet."),
  confirm: t("Discard changes"),
  cancel: t("Keep editing"),
};

const SECRET = {
  title: t("Leave this page?"),
  text: t("What it shows now cannot be shown again. Store it before you leave."),
  confirm: t("Leave page"),
  cancel: t("Stay here"),
};

/** Next to what is shown only once: asks before it is left in any other way than by its button. */
export const SecretGuard = () => useUnsavedGuard(true, SECRET);

/** Asks before a changed form is left by a link, by Back, or by closing the tab. Returns the dialog, for the form to render. */
export function useUnsavedGuard(isChanged: boolean, { text, ...words } = CHANGES): ReactNode {
  const [leave, setLeave] = useState<Leave | null>(null);
  useEffect(() => {
    if (!isChanged) return;
    const { pathname: path, search } = window.location;
    const mine = { path, search, ask: (next: Leave) => setLeave(() => next) };
    guarded.add(mine);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => {
      guarded.delete(mine);
      window.removeEventListener("beforeunload", warn);
    };
  }, [isChanged]);
  return (
    <ConfirmDialog
      open={leave !== null}
      onClose={() => setLeave(null)}
      onConfirm={() => {
        stopAsking();
        setLeave(null);
        leave?.();
      }}
      {...words}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}
