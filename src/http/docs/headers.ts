import type { RouteSpec } from "../pipeline/route.ts";

const header = (name: string, description: string, schema: object = { type: "string" }) => ({
  name,
  in: "header",
  required: false,
  description,
  schema,
});

const PREFER = header(
  "Prefer",
  "`handling=strict`: unknown fields and query parameters are a 422 instead of `warnings` in the response.",
);

/** The request headers that an operation reads in addition to the key. */
export const headerParameters = (spec: RouteSpec): ReturnType<typeof header>[] => [...ownHeaders(spec), PREFER];

function ownHeaders(spec: RouteSpec): ReturnType<typeof header>[] {
  if (spec.success.streamed)
    return [header("Last-Event-ID", "The `id` of the last event received: the stream resumes after it, without gap.")];
  if (spec.errors?.includes("PRECONDITION_FAILED"))
    return [
      header(
        "If-Match",
        "The `ETag` of a read: if the record has changed since then, the request is a 412 and changes nothing.",
      ),
    ];
  if (spec.method !== "POST" || spec.access === "public") return [];
  const repeated = spec.returnsKeySecret
    ? "A repeat with the same key and body within 24 hours creates nothing; it is a 409 that names the record, because a response that holds a key's secret is never stored."
    : "A repeat with the same key and body within 24 hours gets the same response and creates nothing twice.";
  return [header("Idempotency-Key", repeated, { type: "string", maxLength: 255 })];
}

const integer = (description: string) => ({ description, schema: { type: "integer" } });
const text = (description: string) => ({ description, schema: { type: "string" } });

/** On every response to a request whose key has a limit. */
export const RATE_LIMIT_HEADERS = {
  "RateLimit-Policy": text('The policy that counts, in the form of the IETF draft: `"standard";q=1000;w=60`.'),
  RateLimit: text('What is left of it and when the window ends, in seconds: `"standard";r=999;t=60`.'),
  "X-RateLimit-Limit": integer("Requests per window."),
  "X-RateLimit-Remaining": integer("Requests left in this window."),
  "X-RateLimit-Reset": integer("When the window ends, in unix seconds."),
};

const references = Object.fromEntries(
  Object.keys(RATE_LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** On every response to a request that asked for it and was checked. */
export const STRICT_HEADERS = {
  "Preference-Applied": text("`handling=strict`, where the request asked for it with `Prefer`."),
};

const strictReference = { "Preference-Applied": { $ref: "#/components/headers/Preference-Applied" } };

export const responseHeaders = ({ access }: RouteSpec): { headers: object } => ({
  headers: { ...(access === "public" ? {} : references), ...strictReference },
});

const RETRY_AFTER = { "Retry-After": integer("Whole seconds to wait.") };

export function errorHeaders(code: string): { headers?: object } {
  if (code === "RATE_LIMIT_EXCEEDED") return { headers: { ...RETRY_AFTER, ...references } };
  if (code === "SERVICE_UNAVAILABLE") return { headers: RETRY_AFTER };
  if (code === "VALIDATION_ERROR") return { headers: strictReference };
  if (code === "METHOD_NOT_ALLOWED") return { headers: { Allow: text("The methods of this path.") } };
  return {};
}
