/**
 * Types from the API's description: its named records, and the body and query of every operation. The client adds its
 * methods to those of the public API (client-types.mjs); those of the dashboard's own routes are used as they are. Our own sixty lines because openapi-typescript drives the compiler's
 * JavaScript API, which TypeScript 7 does not have.
 *
 * @param {{ components: { schemas: Record<string, any> }, paths: Record<string, Record<string, any>> }} description
 * @param {string} source named in the first line of the file
 */
export function renderOpenapiTypes(description, source) {
  const parts = [`// Generated from ${source} by \`npm run generate\`; not edited by hand.\n`];
  for (const [name, schema] of Object.entries(description.components.schemas)) parts.push(declare(name, schema));
  for (const operation of Object.values(description.paths).flatMap((methods) => Object.values(methods))) {
    const name = operation.operationId[0].toUpperCase() + operation.operationId.slice(1);
    const body = operation.requestBody?.content?.["application/json"]?.schema;
    if (body && !body.$ref) parts.push(declare(`${name}Body`, body));
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    if (query.length > 0) parts.push(declare(`${name}Query`, queryObject(query)));
  }
  return parts.join("\n");
}

function queryObject(parameters) {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  return { type: "object", properties, required: parameters.filter((one) => one.required).map(({ name }) => name) };
}

function declare(name, schema) {
  const either = schema["x-required-any"];
  if (either) {
    const fields = `${name.replace(/Body$/, "")}Fields`;
    const forms = either.map((field) => `Required<Pick<${fields}, ${JSON.stringify(field)}>>`);
    return `export interface ${fields} ${objectType(schema, "")}\n\nexport type ${name} = ${fields} & (${forms.join(" | ")});\n`;
  }
  if (schema.type === "object" && schema.properties) return `export interface ${name} ${objectType(schema, "")}\n`;
  return `export type ${name} = ${typeOf(schema, "")};\n`;
}

export function typeOf(schema, indent) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema["x-event-pattern"]) return "EventPattern";
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf ?? schema["x-forms"];
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, indent)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, indent)).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(" | ");
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "array": {
      const item = typeOf(schema.items ?? {}, indent);
      return /[ |&]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return schema.properties ? objectType(schema, indent) : `Record<string, ${valueTypeOf(schema, indent)}>`;
    default:
      return "unknown";
  }
}

/** Of an object whose names are free. */
function valueTypeOf({ patternProperties, additionalProperties }, indent) {
  const [value] = [...Object.values(patternProperties ?? {}), additionalProperties];
  return typeof value === "object" ? typeOf(value, indent) : "unknown";
}

function objectType(schema, indent) {
  const required = new Set(schema.required ?? []);
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const about = property.description ? `${inner}/** ${property.description.replaceAll("*/", "* /")} */\n` : "";
    return `${about}${inner}${key}${required.has(name) ? "" : "?"}: ${typeOf(property, inner)};`;
  });
  if (typeof schema.additionalProperties === "object")
    lines.push(`${inner}[member: string]: ${anyValueOf(schema, inner)};`);
  return lines.length === 0 ? "Record<string, never>" : `{\n${lines.join("\n")}\n${indent}}`;
}

/** TypeScript has no "any other name": the type of the free names has to admit those of the known ones. */
function anyValueOf({ properties, additionalProperties }, indent) {
  const types = [additionalProperties, ...Object.values(properties)].flatMap((schema) => schema.anyOf ?? [schema]);
  return [...new Set([...types.map((schema) => typeOf(schema, indent)), "undefined"])].join(" | ");
}
