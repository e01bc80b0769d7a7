import { renderOpenapiTypes, typeOf } from "./openapi-types.mjs";

const API_BASE = "/api/v1";
const WRITTEN_BY_HAND = new Set(["GET /events/stream", "POST /files", "POST /mailboxes/{mailbox}/messages"]);

/**
 * The client's generated half: the records, one method type per operation, and the names it needs at run time. The
 * hand-written half (client/src/parley.ts) names operations by method and path, and the compiler compares the two.
 *
 * @param {{ components: any, paths: Record<string, Record<string, any>> }} description
 */
export function renderClientTypes(description) {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(method.toUpperCase(), path, operation)),
  );
  const names = eventNames(description);
  const groups = [...new Set(names.map((name) => name.split(".")[0]))];
  return [
    renderOpenapiTypes(description, "openapi.json").replace(
      "\n",
      '\nimport type { List } from "./paging.ts";\nimport type { RequestOptions } from "./transport.ts";\n',
    ),
    "/** An `id` or a `uuid`. */\nexport type Id = number | string;\n",
    `export const EVENT_NAMES = [\n${names.map((name) => `  ${JSON.stringify(name)},\n`).join("")}] as const;\n`,
    "export type EventName = (typeof EVENT_NAMES)[number];\n",
    `/** What a webhook or a consumer subscribes to: an event, a group of events, or all. */\nexport type EventPattern = EventName | ${groups.map((group) => `"${group}.*"`).join(" | ")} | "*";\n`,
    `export type ErrorCode =\n${Object.keys(description.components.responses)
      .map((code) => `  | ${JSON.stringify(code)}`)
      .join("\n")};\n`,
    `export interface Operations {\n${operations.join("")}}\n`,
  ].join("\n");
}

function renderOperation(method, fullPath, operation) {
  const path = fullPath.replace(API_BASE, "");
  const key = `${method} ${path}`;
  const kind = WRITTEN_BY_HAND.has(key) ? "custom" : kindOf(operation);
  const name = operation.operationId[0].toUpperCase() + operation.operationId.slice(1);
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => `${id}: Id`);
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const queryRequired = (operation.parameters ?? []).some((one) => one.in === "query" && one.required);
  const inputs = {
    none: [],
    custom: [],
    query: [`query${queryRequired ? "" : "?"}: ${name}Query`],
    list: [`query${queryRequired ? "" : "?"}: ${name}Query`],
    body: [`body${operation.requestBody?.required ? "" : "?"}: ${body?.$ref ? typeOf(body, "") : `${name}Body`}`],
  };
  const args = [...ids, ...inputs[kind], "options?: RequestOptions"].join(", ");
  const about = [operation.summary, scopeSentence(operation)].filter(Boolean).join(". ");
  return [
    `  /** ${about}. */\n`,
    `  ${JSON.stringify(key)}: { kind: "${kind}"; call: (${args}) => ${resultOf(operation, kind)} };\n`,
  ].join("");
}

function kindOf({ parameters = [], requestBody, responses }) {
  if (requestBody) return "body";
  const query = parameters.filter((one) => one.in === "query").map(({ name }) => name);
  if (query.length === 0) return "none";
  const isArray = successData(responses)?.type === "array";
  return isArray && (query.includes("cursor") || query.includes("page")) ? "list" : "query";
}

function resultOf({ responses }, kind) {
  const data = successData(responses);
  if (kind === "list") return `List<${typeOf(data.items, "  ")}>`;
  return `Promise<${data ? typeOf(data, "  ") : "unknown"}>`;
}

function successData(responses) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  return success?.content?.["application/json"]?.schema?.properties?.data ?? success?.content?.["text/plain"]?.schema;
}

function scopeSentence(operation) {
  if (operation["x-people-only"]) return "Only for people who are signed in; a key receives a 403";
  return operation["x-required-scope"] ? `Scope: \`${operation["x-required-scope"]}\`` : null;
}

/** The catalogue, from the schema of an event type's name: the same list as the server's. */
function eventNames({ components }) {
  const name = components.schemas.EventType?.properties?.name;
  const names = name?.enum ?? name?.anyOf?.map((choice) => choice.const);
  if (!names?.length) throw new Error("openapi.json has no list of event names (components.schemas.EventType.name).");
  return names;
}
