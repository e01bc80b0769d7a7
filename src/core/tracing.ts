import { AsyncLocalStorage } from "node:async_hooks";

/** Something that takes time and belongs to a trace. */
export interface Span {
  /** As W3C Trace Context writes it; null: this trace is not recorded. */
  readonly traceparent: string | null;
  /** `error`: why it failed; null: it did not. */
  end(attributes: SpanAttributes, error: string | null): void;
}

type SpanAttributes = Record<string, string | number>;

export interface NewSpan {
  name: string;
  /** `server`: a request that came in. `client`: one that was sent. */
  kind: "server" | "client";
  /** The traceparent of the span that caused it; null: it begins a trace. */
  parent: string | null;
  attributes: SpanAttributes;
}

/** Where spans go. The parts that are traced know this and no more. */
export interface Tracing {
  startSpan(span: NewSpan): Span;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

const current = new AsyncLocalStorage<string>();

/** What `work` causes belongs to the trace. */
export const withTrace = (traceparent: string | null, work: () => void): void =>
  traceparent === null ? work() : current.run(traceparent, work);

/** The trace of what is being done now; null: it is not traced. */
export const currentTrace = (): string | null => current.getStore() ?? null;

interface TraceContext {
  traceId: string;
  spanId: string;
  flags: number;
}

/** Null for anything that is not a traceparent of the version we write. */
export function parseTraceparent(text: string | undefined): TraceContext | null {
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? "") ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

export const formatTraceparent = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`;
