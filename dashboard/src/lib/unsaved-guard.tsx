import { type ReactNode, useCallback, useEffect, useState } from "react";
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
  const leave = () => {
    stopAsking();
    navigate(to, options);
  };
  // A change of the query alone stays on the form's page.
  const staysHere = new URL(to, window.location.href).pathname === window.location.pathname;
  const form = firstGuarded();
  if (form && !staysHere) form.ask(leave);
  else navigate(to, options);
}

/** The browser has already gone back: return to the form and ask, before the router sees the other address. */
window.addEventListener(
  "popstate",
  (event) => {
    const form = firstGuarded();
    if (!form || window.location.pathname === form.path) return;
    event.stopImmediatePropagation();
    history.pushState(null, "", form.path + form.search);
    form.ask(() => {
      stopAsking();
      history.back();
    });
  },
  { capture: true },
);

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
export const SecretGuard = () => useGuard(true, SECRET).question;

/** Asks before a changed form is left by a link, by Back, or by closing the tab. Returns the dialog, for the form to render. */
export const useUnsavedGuard = (isChanged: boolean): ReactNode => useGuard(isChanged, CHANGES).question;

/** For a dialog with a form: closing it asks as well, about its own changes and not about those of the page below. */
export function useDialogGuard(isChanged: boolean, close: Leave): { leave: ReactNode; cancel: Leave } {
  const { ask, question } = useGuard(isChanged, CHANGES);
  return { leave: question, cancel: () => (isChanged ? ask(close) : close()) };
}

function useGuard(isChanged: boolean, { text, ...words }: typeof CHANGES) {
  const [leave, setLeave] = useState<Leave | null>(null);
  const ask = useCallback((next: Leave) => setLeave(() => next), []);
  useEffect(() => {
    if (!isChanged) return;
    const { pathname: path, search } = window.location;
    const mine = { path, search, ask };
    guarded.add(mine);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => {
      guarded.delete(mine);
      window.removeEventListener("beforeunload", warn);
    };
  }, [isChanged, ask]);
  const question = (
    <ConfirmDialog
      open={leave !== null}
      onClose={() => setLeave(null)}
      onConfirm={() => {
        setLeave(null);
        leave?.();
      }}
      {...words}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
  return { ask, question };
}
