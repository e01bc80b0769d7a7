import type { TSchema } from "typebox";
import { SCOPE_CATALOGUE } from "../../auth/scopes.ts";
import { ERROR_CATALOGUE, type ErrorCode } from "../../core/errors.ts";
import { describedSuccess, ErrorBody } from "../pipeline/envelope.ts";
import { API_BASE, type RouteSpec } from "../pipeline/route.ts";
import { describeWebhooks, eventSchemas, eventUnion } from "./event-schemas.ts";
import { errorHeaders, headerParameters, RATE_LIMIT_HEADERS, responseHeaders, STRICT_HEADERS } from "./headers.ts";
import { operationIdOf } from "./operation-id.ts";
import { RECORD_EXAMPLES } from "./record-examples.ts";

export interface ApiDescription {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, unknown>;
    headers: object;
    securitySchemes: object;
    responses: Record<string, unknown>;
  };
  [name: string]: unknown;
}

interface Operation {
  operationId: string;
  tags?: string[];
  summary: string;
  description: string;
  parameters: { name: string; in: string; required: boolean; description?: string; schema: unknown }[];
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> };
  responses: Record<string, unknown>;
  "x-required-scope"?: string;
  [name: string]: unknown;
}

interface DescribeOptions {
  /** Where the paths of the specs begin. */
  base?: string;
  title?: string;
  /** Where clients reach this installation, if the operator has said so. */
  publicUrl?: string | null;
}

/** OpenAPI 3.1 from the very specs that validate and serialise. */
export function describeApi(
  routes: readonly RouteSpec[],
  { base = API_BASE, title = "Parley API", publicUrl = null }: DescribeOptions = {},
): ApiDescription {
  const schemas: Record<string, unknown> = {};
  const paths: ApiDescription["paths"] = {};
  for (const spec of routes) {
    const path = base + spec.path;
    paths[path] ??= {};
    paths[path][spec.method.toLowerCase()] = describeOperation(spec, schemas);
  }
  const errorSchema = withComponents(ErrorBody, schemas);
  const hasEvents = base === API_BASE;
  if (hasEvents) {
    for (const schema of eventSchemas()) withComponents(schema, schemas);
    schemas.Event = eventUnion();
    for (const [title, example] of Object.entries(RECORD_EXAMPLES))
      if (schemas[title]) schemas[title] = { ...(schemas[title] as object), examples: [example] };
  }
  return {
    openapi: "3.1.0",
    info: {
      title,
      version: "1",
      description: "Customer conversations, API keys with scopes, and signed webhooks.",
    },
    servers: [
      {
        url: publicUrl ?? "/",
        description: publicUrl ? "This installation." : "The server that this description was read from.",
      },
    ],
    security: [{ apiKey: [] }],
    tags: [...new Set(routes.flatMap(({ tag }) => tag ?? []))].map((name) => ({ name })),
    paths,
    ...(hasEvents ? { webhooks: describeWebhooks() } : {}),
    components: {
      schemas,
      headers: { ...RATE_LIMIT_HEADERS, ...STRICT_HEADERS },
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: `An API key. Scopes: ${Object.entries(SCOPE_CATALOGUE)
            .map(([scope, about]) => `\`${scope}\`: ${about}`)
            .join(" ")}`,
        },
      },
      responses: Object.fromEntries(
        Object.entries(ERROR_CATALOGUE).map(([code, { when }]) => [
          code,
          { description: when, ...errorHeaders(code), content: { "application/json": { schema: errorSchema } } },
        ]),
      ),
    },
  };
}

function describeOperation(spec: RouteSpec, schemas: Record<string, unknown>): Operation {
  const inPath = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...(spec.name === name
      ? { description: "Its name.", schema: { type: "string" } }
      : { description: "Its id or uuid.", schema: { type: ["integer", "string"] } }),
    example: PATH_EXAMPLES[name] ?? 42,
  }));
  const inQuery = Object.entries(spec.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: spec.query?.required?.includes(name) ?? false,
    ...("description" in schema ? { description: String(schema.description) } : {}),
    schema: withComponents(schema as TSchema, schemas),
  }));
  const content = spec.success.streamed
    ? { "text/event-stream": { schema: spec.success.data } }
    : spec.success.text
      ? { "text/plain": { schema: spec.success.data } }
      : { "application/json": { schema: withComponents(describedSuccess(spec), schemas) } };
  return {
    operationId: operationIdOf(spec),
    ...(spec.tag ? { tags: [spec.tag] } : {}),
    summary: spec.summary,
    description: [spec.description, accessSentence(spec)].filter(Boolean).join("\n\n"),
    ...(spec.access === "public" ? { security: [] } : {}),
    ...(spec.access !== "public" && spec.access !== "any" ? { "x-required-scope": spec.access } : {}),
    ...(spec.peopleOnly ? { "x-people-only": true } : {}),
    parameters: [...inPath, ...inQuery, ...headerParameters(spec)],
    ...(spec.upload ? { requestBody: uploadBody(spec.upload) } : {}),
    ...(spec.body
      ? {
          requestBody: {
            required: (spec.body.required?.length ?? 0) > 0 || "x-required-any" in spec.body,
            content: { "application/json": { schema: withComponents(spec.body, schemas) } },
          },
        }
      : {}),
    responses: {
      [spec.success.status]: { description: "Success.", ...responseHeaders(spec), content },
      ...(spec.success.replaces ? { 200: { description: "Replaced.", content } } : {}),
      ...Object.fromEntries(
        errorsOf(spec).map((code) => [ERROR_CATALOGUE[code].status, { $ref: `#/components/responses/${code}` }]),
      ),
    },
  };
}

/** What does not look like an id. */
const PATH_EXAMPLES: Record<string, string> = {
  event: "evt_01980a4e7b107d05a3c74e1f2b6a9d80",
  consumer: "billing",
};

const BINARY = { type: "string", format: "binary" };
const FORM = { schema: { type: "object", properties: { file: BINARY }, required: ["file"] } };
const uploadBody = (type: NonNullable<RouteSpec["upload"]>) => ({
  required: true,
  content: type === true ? { "*/*": { schema: BINARY }, "multipart/form-data": FORM } : { [type]: { schema: BINARY } },
});

/** What can go wrong follows from the spec; only the unusual is listed there by hand. */
function errorsOf(spec: RouteSpec): ErrorCode[] {
  // Any request may be invalid: with `Prefer: handling=strict` an unknown query parameter is.
  const codes = new Set<ErrorCode>(spec.errors).add("VALIDATION_ERROR");
  if (spec.access !== "public") codes.add("UNAUTHORIZED").add("FORBIDDEN").add("RATE_LIMIT_EXCEEDED");
  if (spec.path.includes("{")) codes.add("NOT_FOUND");
  if (spec.body || spec.upload) codes.add("PAYLOAD_TOO_LARGE");
  if ((spec.body && !spec.bodyIgnorable) || spec.upload) codes.add("UNSUPPORTED_MEDIA_TYPE");
  if (spec.method === "POST") codes.add("CONFLICT");
  return [...codes.add("INTERNAL_ERROR").add("SERVICE_UNAVAILABLE")].sort(
    (a, b) => ERROR_CATALOGUE[a].status - ERROR_CATALOGUE[b].status,
  );
}

function accessSentence({ access, peopleOnly }: RouteSpec): string {
  if (peopleOnly) return `Only for people who are signed in; a key gets a 403. Required scope: \`${access}\`.`;
  if (access === "public") return "No key is needed.";
  return access === "any" ? "Any valid key may call it." : `Required scope: \`${access}\`.`;
}

/** A schema with a title becomes a named component, wherever it is used. */
function withComponents(schema: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withComponents(item, schemas));
  if (typeof schema !== "object" || schema === null) return schema;
  const plain = Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => name !== "trim")
      .map(([name, value]) => [
        name,
        name === "format" && value === "timestamp" ? "date-time" : withComponents(value, schemas),
      ]),
  );
  // A nullable record keeps its own copy: a reference cannot carry the second type.
  if (typeof plain.title !== "string" || Array.isArray(plain.type)) return plain;
  schemas[plain.title] = plain;
  return { $ref: `#/components/schemas/${plain.title}` };
}
