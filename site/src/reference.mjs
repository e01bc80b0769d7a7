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
      response: responseOf(operation, api.components.schemas),
    })),
  );
}

function requestOf({ requestBody }, schemas) {
  const schema = requestBody?.content?.["application/json"]?.schema;
  if (!schema) return null;
  const required = exampleOf(schema, schemas, { requiredOnly: true });
  const example = Object.keys(required).length > 0 ? required : firstFields(exampleOf(schema, schemas));
  return { schema, example };
}

/** A body without required fields: a few of those it may have. */
const firstFields = (example) => Object.fromEntries(Object.entries(example).slice(0, 2));

function responseOf({ responses }, schemas) {
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const schema = success?.content?.["application/json"]?.schema;
  return { status, schema: schema ?? null, example: schema ? exampleOf(schema, schemas) : null };
}

function renderTag(api, tag) {
  const operations = operationsOf(api).filter(({ operation }) => operation.tags[0] === tag);
  const contents = operations.map(
    ({ method, path, operation }) =>
      `| [${operation.summary}](#${anchor(operation.summary)}) | \`${method} ${path}\` |`,
  );
  return [
    `# ${tag}`,
    `Every request has the header \`Authorization: Bearer <key>\`. Errors have one form: [errors](/docs/errors). With \`Prefer: handling=strict\` unknown names are an error: [strict requests](/docs/strict-requests).`,
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
    `\`\`\`sh\n${curl(method, path, request)}\n\`\`\``,
    ...(response.example
      ? [`Response ${response.status}:`, `\`\`\`json\n${JSON.stringify(response.example, null, 2)}\n\`\`\``]
      : []),
    `Operation id: \`${operation.operationId}\`. Errors: ${errorCodes(operation)}.`,
  ].join("\n\n");
}

const table = (head, rows) => [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`, ...rows].join("\n");

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function curl(method, path, request) {
  const address = `"$PARLEY_URL${path.replace(/\{\w+\}/g, "42")}"`;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${address}`,
    `  -H "Authorization: Bearer $PARLEY_KEY"`,
    ...(request ? [`  -H "Content-Type: application/json"`, `  -d '${JSON.stringify(request.example)}'`] : []),
  ];
  return lines.join(" \\\n");
}

function typeText(schema = {}) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" or ");
  if (schema.type === "array") return `list of ${typeText(schema.items)}`;
  return [schema.type ?? "any"].flat().join(" or ");
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
