import { CircleAlert, CircleCheck } from "lucide-react";
import { useSyncExternalStore } from "react";
import { cx } from "../lib/cx.ts";
import css from "./toast.module.css";

interface Toast {
  id: number;
  text: string;
  failed: boolean;
  action: ToastAction | null;
  shownAt: number;
}

interface ToastAction {
  label: string;
  run: () => void;
}

interface ToastOptions {
  failed?: boolean;
  /** What can still be done about it, while it is shown. */
  action?: ToastAction;
}

const SHOWN_MS = 5_000;
const SHOWN_MAX = 3;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let nextId = 1;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says that something was done. What went wrong is better said in its place, with a `Notice`. */
export function toast(text: string, { failed = false, action }: ToastOptions = {}): void {
  const id = nextId++;
  set([...toasts, { id, text, failed, action: action ?? null, shownAt: Date.now() }].slice(-SHOWN_MAX));
  setTimeout(() => close(id), SHOWN_MS);
}

const close = (id: number): void => set(toasts.filter((one) => one.id !== id));

/** The newest action that is offered, for a key that does the same as its button. */
export function newestAction(): { shownAt: number; run: () => void } | null {
  const found = toasts.findLast(({ action }) => action !== null);
  return found ? { shownAt: found.shownAt, run: () => runAction(found) } : null;
}

function runAction({ id, action }: Toast): void {
  close(id);
  action?.run();
}

export function Toaster() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className={css.toasts} role="status">
      {shown.map((one) => (
        <div key={one.id} className={cx(css.toast, one.failed && css.failed)}>
          {one.failed ? <CircleAlert size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
          {one.text}
          {one.action && (
            <button type="button" className={css.action} onClick={() => runAction(one)}>
              {one.action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
