import { CircleAlert, CircleCheck } from "lucide-react";
import { useSyncExternalStore } from "react";
import { cx } from "../lib/cx.ts";
import css from "./toast.module.css";

interface Toast {
  id: number;
  text: string;
  failed: boolean;
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
export function toast(text: string, { failed = false } = {}): void {
  const id = nextId++;
  set([...toasts, { id, text, failed }].slice(-SHOWN_MAX));
  setTimeout(() => set(toasts.filter((one) => one.id !== id)), SHOWN_MS);
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
      {shown.map(({ id, text, failed }) => (
        <div key={id} className={cx(css.toast, failed && css.failed)}>
          {failed ? <CircleAlert size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
          {text}
        </div>
      ))}
    </div>
  );
}
