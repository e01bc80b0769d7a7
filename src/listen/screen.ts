import type { Listened, ListenReport } from "./listener.ts";

interface ScreenOptions {
  write: (text: string) => void;
  /** The width of the terminal. */
  columns: () => number;
  /** Printed whenever the listener is connected. */
  readyLine: string;
  /** Sends an event again; the outcome is reported like the first one. */
  again: (listened: Listened) => void;
  quit: () => void;
}

interface Screen extends ListenReport {
  note(text: string): void;
  /** What the terminal sent: one key, or several when they were typed quickly. */
  keys(text: string): void;
}

/** Older events can no longer be chosen; they are in `parley events`. */
const KEPT = 200;
const CLEAR_LINE = "\r\u001b[2K";
const UP = ["\u001b[A", "\u001bOA"];
const DOWN = ["\u001b[B", "\u001bOB"];

/** The interactive form: lines scroll by, and the last line shows which event the keys are about. */
export function createScreen({ write, columns, readyLine, again, quit }: ScreenOptions): Screen {
  const events: Listened[] = [];
  /** Null: the newest one. */
  let chosen: Listened | null = null;
  let status = "connecting …";
  let wasReady = false;

  const footer = (): string => {
    const current = chosen ?? events.at(-1);
    if (!current) return fitInto([`${status}  [q] quit`], columns() - 1);
    const { type, id } = current.event;
    const keys = `[r] forward again  [d] body  [↑↓] choose  [q] quit`;
    return fitInto(
      [`${type} ${id}`, `${type} …${id.slice(-6)}`, type].map((name) => `${status}  › ${name}  ${keys}`),
      columns() - 1,
    );
  };
  const line = (text: string): void => write(`${CLEAR_LINE}${text}\n${footer()}`);
  const redraw = (): void => write(CLEAR_LINE + footer());
  const move = (by: number): void => {
    if (events.length === 0) return;
    const index = events.indexOf(chosen ?? (events.at(-1) as Listened)) + by;
    chosen = events[Math.max(0, Math.min(events.length - 1, index))] ?? null;
    redraw();
  };
  const press = (key: string): void => {
    const current = chosen ?? events.at(-1);
    if (key === "q" || key === "\u0003") quit();
    else if (key === "r" && current) again(current);
    else if (key === "d" && current) line(JSON.stringify(JSON.parse(current.body), null, 2));
    else if (UP.includes(key)) move(-1);
    else if (DOWN.includes(key)) move(1);
  };
  redraw();

  return {
    note: line,
    ready() {
      status = "ready";
      wasReady = true;
      line(readyLine);
    },
    reconnecting(reason, attempt) {
      status = `reconnecting (${attempt})`;
      line(`${notConnected(wasReady)} (${attempt}): ${reason}`);
    },
    event(listened) {
      events.push(listened);
      if (events.length > KEPT) events.shift();
      line(describe(listened));
    },
    keys(text) {
      for (const key of keysIn(text)) press(key);
    },
  };
}

/** An arrow is three characters. */
function* keysIn(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const key = text.slice(at, at + (text[at] === "\u001b" ? 3 : 1));
    yield key;
    at += key.length;
  }
}

/** A server that was never reached has not lost a connection. */
export const notConnected = (wasReady: boolean): string =>
  wasReady ? "Connection lost, reconnecting" : "Not connected yet, trying again";

/** The first form that fits into the width; the last one is cut. A line that wraps could not be cleared again. */
const fitInto = (forms: readonly string[], width: number): string =>
  forms.find((form) => form.length <= width) ?? (forms.at(-1) ?? "").slice(0, Math.max(0, width));

/** Time, type, id, status, milliseconds. */
export function describe({ at, event, forwarded }: Listened): string {
  const time = at.toTimeString().slice(0, 8);
  const outcome = forwarded ? `  ${forwarded.error ?? forwarded.status}  ${forwarded.ms} ms` : "";
  return `${time}  ${event.type.padEnd(28)}  ${event.id}${outcome}`;
}
