import type { Listened, ListenReport } from "./listener.ts";

interface ScreenOptions {
  write: (text: string) => void;
  /** Sends an event again; the outcome is reported like the first one. */
  again: (listened: Listened) => void;
  quit: () => void;
}

interface Screen extends ListenReport {
  note(text: string): void;
  key(name: string): void;
}

/** Older events can no longer be chosen; they are in `parley events`. */
const KEPT = 200;
const CLEAR_LINE = "\r\u001b[2K";

/** The interactive form: lines scroll by, and the last line shows which event the keys are about. */
export function createScreen({ write, again, quit }: ScreenOptions): Screen {
  const events: Listened[] = [];
  /** Counted from the newest, so that new events do not move a choice away from the one that was made. */
  let chosen: Listened | null = null;
  let status = "connecting …";

  const footer = (): string => {
    const current = chosen ?? events.at(-1);
    const about = current
      ? `› ${current.event.type} ${current.event.id}  [r] forward again  [d] body  [↑↓] choose  `
      : "";
    return `${about}[q] quit  ${status}`;
  };
  const line = (text: string): void => write(`${CLEAR_LINE}${text}\n${footer()}`);
  const redraw = (): void => write(CLEAR_LINE + footer());
  const move = (by: number): void => {
    const index = events.indexOf(chosen ?? (events.at(-1) as Listened)) + by;
    chosen = events[Math.max(0, Math.min(events.length - 1, index))] ?? null;
    redraw();
  };

  return {
    note: line,
    ready() {
      status = "ready";
      redraw();
    },
    reconnecting(reason, attempt) {
      status = `reconnecting (${attempt})`;
      line(`  connection lost, reconnecting: ${reason}`);
    },
    event(listened) {
      events.push(listened);
      if (events.length > KEPT) events.shift();
      line(describe(listened));
    },
    key(name) {
      const current = chosen ?? events.at(-1);
      if (name === "q" || name === "\u0003") quit();
      else if (name === "r" && current) again(current);
      else if (name === "d" && current) line(JSON.stringify(JSON.parse(current.body), null, 2));
      else if (name === "\u001b[A" && events.length > 0) move(-1);
      else if (name === "\u001b[B" && events.length > 0) move(1);
    },
  };
}

/** Time, type, id, status, milliseconds. */
export function describe({ at, event, forwarded }: Listened): string {
  const time = at.toTimeString().slice(0, 8);
  const outcome = forwarded ? `  ${forwarded.error ?? forwarded.status}  ${forwarded.ms} ms` : "";
  return `${time}  ${event.type.padEnd(28)}  ${event.id}${outcome}`;
}
