import { exampleOf } from "./examples.mjs";

/** One Markdown page per tag of the API's description; the site renders it like any other page. */
export function referencePages(api) {
  return api.tags.map(({ name }) => ({
    slug: `api/${name.toLowerCase().replaceAll(" ", "-")}`,
    title: name,
    markdown: renderTag(api, name),
  }));
}

/** The operations with their examples, for the pages and for the test that validates them. */
export function operationsOf(api) {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      request: requestOf(operation, api.components.schemas),
      response: responseOf(operation, addressOf(path, operation), api.components.schemas),
    })),
  );
}

function requestOf({ requestBody }, schemas) {
  const schema = requestBody?.content?.["application/json"]?.schema;
  if (!schema) return null;
  if (schema.examples?.length) return { schema, example: schema.examples[0] };
  const required = exampleOf(schema, schemas, { requiredOnly: true });
  const example = Object.keys(required).length > 0 ? required : firstFields(exampleOf(schema, schemas));
  return { schema, example };
}

/** A body without required fields: a few of those it may have. */
const firstFields = (example) => Object.fromEntries(Object.entries(example).slice(0, 2));

function responseOf({ responses }, address, schemas) {
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const schema = success?.content?.["application/json"]?.schema;
  if (!schema) return { status, schema: null, example: null };
  // The request of the example gives no reason for a warning.
  const { warnings: _none, ...example } = exampleOf(schema, schemas);
  const page = `https://parley.example.com${address}?page=1`;
  if (example.links) example.links = { first: page, last: page, prev: null, next: null };
  return { status, schema, example };
}

/** The path of an operation with an id in place of each parameter. */
const addressOf = (path, { parameters = [] }) =>
  path.replace(/\{(\w+)\}/g, (_, name) => String(parameters.find((one) => one.name === name)?.example ?? 42));

function renderTag(api, tag) {
  const operations = operationsOf(api).filter(({ operation }) => operation.tags[0] === tag);
  const contents = operations.map(
    ({ method, path, operation }) =>
      `| [${operation.summary}](#${anchor(operation.summary)}) | \`${method} ${path}\` |`,
  );
  return [
    `# ${tag}`,
    `The examples run as they are after [step 1 of the start](/docs/index#a-webhook-step-by-step), which sets \`PARLEY_URL\` and \`PARLEY_KEY\`; 42 stands for the id of a record of yours. Every request has the header \`Authorization: Bearer <key>\`. Errors have one form: [errors](/docs/errors). With \`Prefer: handling=strict\` unknown names are an error: [strict requests](/docs/strict-requests).`,
    ["| operation | |", "|---|---|", ...contents].join("\n"),
    ...operations.map((one) => renderOperation(one)),
  ].join("\n\n");
}

function renderOperation({ method, path, operation, request, response }) {
  // Every operation reads it: the page says so once.
  const own = (operation.parameters ?? []).filter(({ name }) => name !== "Prefer");
  const parameters = own.map(
    ({ name, in: place, required, description = "", schema }) =>
      `| \`${name}\` | ${place}${required ? ", required" : ""} | ${typeText(schema)} | ${cell(description)} |`,
  );
  const fields = Object.entries(request?.schema.properties ?? {}).map(
    ([name, schema]) =>
      `| \`${name}\` | ${request.schema.required?.includes(name) ? "required" : "optional"} | ${typeText(schema)} | ${cell(schema.description ?? "")} |`,
  );
  return [
    `## ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.description,
    ...(parameters.length > 0 ? [table(["parameter", "in", "type", "meaning"], parameters)] : []),
    ...(fields.length > 0 ? [table(["field", "", "type", "meaning"], fields)] : []),
    ...(operation["x-people-only"] ? [] : [`\`\`\`sh\n${curl(method, path, operation, request)}\n\`\`\``]),
    ...(response.example
      ? [`Response ${response.status}:`, `\`\`\`json\n${JSON.stringify(response.example, null, 2)}\n\`\`\``]
      : []),
    `Operation id: \`${operation.operationId}\`. Errors: ${errorCodes(operation)}.`,
  ].join("\n\n");
}

const table = (head, rows) => [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`, ...rows].join("\n");

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function curl(method, path, operation, request) {
  const content = operation.requestBody?.content ?? {};
  const isUpload = content["*/*"] !== undefined;
  const isMail = content["message/rfc822"] !== undefined;
  const isStream = operation.responses["200"]?.content?.["text/event-stream"] !== undefined;
  const query = (operation.parameters ?? [])
    .filter((one) => one.in === "query" && (one.required || (isUpload && one.schema.examples)))
    .map(({ name, schema }) => `${name}=${encodeURIComponent(exampleOf(schema, {}, { name }))}`);
  const address = `"$PARLEY_URL${addressOf(path, operation)}${query.length > 0 ? `?${query.join("&")}` : ""}"`;
  const lines = [
    `curl ${isStream ? "-N " : ""}${method === "GET" ? "" : `-X ${method} `}${address}`,
    `  -H "Authorization: Bearer $PARLEY_KEY"`,
    ...(isUpload ? [`  -H "Content-Type: image/png"`, "  --data-binary @photo.png"] : []),
    ...(isMail ? [`  -H "Content-Type: message/rfc822"`, "  --data-binary @mail.eml"] : []),
    ...(request ? [`  -H "Content-Type: application/json"`, `  -d '${JSON.stringify(request.example)}'`] : []),
  ];
  return lines.join(" \\\n");
}

function typeText(schema = {}) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.enum)
    return schema.enum
      .filter((value) => value !== null && value !== "")
      .map((value) => `\`${value}\``)
      .join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" or ");
  const limits = limitsOf(schema);
  const type =
    schema.type === "array" ? `list of ${typeText(schema.items)}` : [schema.type ?? "any"].flat().join(" or ");
  return limits ? `${type}, ${limits}` : type;
}

/** `0 to 10`, `1 to 255 characters`; empty where nothing is limited. */
function limitsOf({ type, minimum, maximum, minLength, maxLength, minItems, maxItems }) {
  // Of an id only the type matters: text as well as an integer is its other form.
  if ([type].flat().includes("integer") && [type].flat().includes("string")) return "";
  return [range(minimum, maximum, ""), range(minLength, maxLength, " characters"), range(minItems, maxItems, " items")]
    .filter(Boolean)
    .join(", ");
}

function range(from, to, unit) {
  const number = (value) => value.toLocaleString("en-US");
  if (to === undefined || to === Number.MAX_SAFE_INTEGER) return from ? `at least ${number(from)}${unit}` : "";
  return from === undefined ? `at most ${number(to)}${unit}` : `${number(from)} to ${number(to)}${unit}`;
}

const errorCodes = ({ responses }) =>
  Object.values(responses)
    .map(({ $ref }) => $ref?.split("/").at(-1))
    .filter(Boolean)
    .map((code) => `\`${code}\``)
    .join(", ");

export const anchor = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
