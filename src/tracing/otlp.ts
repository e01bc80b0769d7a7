import { formatTraceparent, type NewSpan, parseTraceparent, type Span, type Tracing } from "../core/tracing.ts";

interface TracingOptions {
  /** Where a collector takes traces over OTLP and HTTP, such as http://collector:4318/v1/traces. */
  url: string;
  headers: Record<string, string>;
  /** Of the traces that begin here, how many are recorded. */
  percent: number;
  version: string;
}

const SEND_EVERY_MS = 1_000;
const SEND_MS_MAX = 3_000;
const QUEUED_MAX = 4_096;

/**
 * Traces by OpenTelemetry's own packages. They are loaded here and nowhere else, and only where tracing is on: otherwise
 * every start would pay for them.
 */
export async function startTracing({ url, headers, percent, version }: TracingOptions): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_MS_MAX });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ "service.name": "parley", "service.version": version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_MS_MAX,
        maxQueueSize: QUEUED_MAX,
      }),
    ],
  });
  const tracer = provider.getTracer("parley", version);

  function contextOf(parent: string | null) {
    const found = parseTraceparent(parent ?? undefined);
    if (!found) return api.ROOT_CONTEXT;
    const { traceId, spanId, flags } = found;
    return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
  }

  function startSpan({ name, kind, parent, attributes }: NewSpan): Span {
    const spanKind = kind === "server" ? api.SpanKind.SERVER : api.SpanKind.CLIENT;
    const span = tracer.startSpan(name, { kind: spanKind, attributes }, contextOf(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: span.isRecording() ? formatTraceparent({ traceId, spanId, flags: traceFlags }) : null,
      end(more, error) {
        span.setAttributes(more);
        if (error !== null) span.setStatus({ code: api.SpanStatusCode.ERROR, message: error });
        span.end();
      },
    };
  }

  return {
    startSpan,
    // A collector that does not respond must not keep the process from ending.
    close: () => provider.shutdown().catch(() => {}),
  };
}
