import { CircleAlert, CircleCheck } from "lucide-react";
import { useSyncExternalStore } from "react";
import { cx } from "../lib/cx.ts";
import css from "./toast.module.css";

interface Toast {
  id: number;
  text: string;
  failed: boolean;
  action: ToastAction | null;
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
  set([...toasts, { id, text, failed, action: action ?? null }].slice(-SHOWN_MAX));
  setTimeout(() => close(id), SHOWN_MS);
}

const close = (id: number): void => set(toasts.filter((one) => one.id !== id));

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
      {shown.map(({ id, text, failed, action }) => (
        <div key={id} className={cx(css.toast, failed && css.failed)}>
          {failed ? <CircleAlert size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
          {text}
          {action && (
            <button
              type="button"
              className={css.action}
              onClick={() => {
                close(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
