import { createHash } from "node:crypto";
import type { ApiDescription, Operation } from "./openapi.ts";

export interface DocsPage {
  html: string;
  contentSecurityPolicy: string;
}

/** The reference as one page of plain HTML: works offline, without script, in any browser. */
export function renderDocs(api: ApiDescription): DocsPage {
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(api.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? "Other";
      groups.set(tag, [...(groups.get(tag) ?? []), renderOperation(method, path, operation)]);
    }
  const tags = [...groups.keys()];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(api.info.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Sections"><strong>${escapeHtml(api.info.title)}</strong><ul>
${tags.map((tag) => `<li><a href="#${anchor(tag)}">${escapeHtml(tag)}</a></li>`).join("\n")}
<li><a href="#records">Records</a></li><li><a href="#errors">Errors</a></li>
<li><a href="/api/v1/openapi.json">openapi.json</a></li></ul></nav>
<main>
<h1>${escapeHtml(api.info.title)}</h1>
<p>${escapeHtml(api.info.description)} Send your key as <code>Authorization: Bearer &lt;API_KEY&gt;</code>. Every success is
<code>{ "success": true, "data": … }</code>, every error <code>{ "success": false, "error": { "code", "message" } }</code>.</p>
${tags.map((tag) => `<section id="${anchor(tag)}"><h2>${escapeHtml(tag)}</h2>${groups.get(tag)?.join("\n")}</section>`).join("\n")}
<section id="records"><h2>Records</h2>
${Object.entries(api.components.schemas)
  .map(([name, schema]) => `<h3 id="record-${anchor(name)}">${escapeHtml(name)}</h3>${renderSchema(schema)}`)
  .join("\n")}
</section>
<section id="errors"><h2>Errors</h2><table><tr><th>Code</th><th>When</th></tr>
${Object.entries(api.components.responses)
  .map(
    ([code, response]) =>
      `<tr><td><code>${code}</code></td><td>${inline((response as { description: string }).description)}</td></tr>`,
  )
  .join("\n")}
</table></section>
</main>
</body>
</html>
`;
  const hash = createHash("sha256").update(STYLE).digest("base64");
  return { html, contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'` };
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const body = operation.requestBody?.content["application/json"].schema;
  const [[status, success] = ["200", {}]] = Object.entries(operation.responses);
  const errors = Object.entries(operation.responses)
    .slice(1)
    .map(([code]) => code);
  const data = (success as { content?: { "application/json"?: { schema: { properties: { data: unknown } } } } })
    .content?.["application/json"]?.schema.properties.data;
  return `<article id="${escapeHtml(operation.operationId)}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p><strong>${escapeHtml(operation.summary)}.</strong> ${inline(operation.description)}</p>
${parameters(operation)}
${body ? `<h4>Body</h4>${renderSchema(body)}` : ""}
<p class="answers">Answers <code>${status}</code> with ${typeOf(data)}. Errors: ${errors.map((code) => `<code>${code}</code>`).join(" ")}</p>
</article>`;
}

function parameters(operation: Operation): string {
  if (operation.parameters.length === 0) return "";
  const rows = operation.parameters.map(
    ({ name, in: place, description, schema, required }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ", required" : ""}</td><td>${typeOf(schema)}</td><td>${inline(description ?? "")}</td></tr>`,
  );
  return `<h4>Parameters</h4><table><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr>${rows.join("")}</table>`;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  format?: string;
}

function renderSchema(schema: unknown): string {
  const { properties, required = [] } = schema as Schema;
  if (!properties) return `<p>${typeOf(schema)}</p>`;
  const rows = Object.entries(properties).map(
    ([name, property]) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeOf(property)}${required.includes(name) ? "" : ", optional"}</td><td>${inline([property.description, limits(property)].filter(Boolean).join(" "))}</td></tr>`,
  );
  return `<table><tr><th>Field</th><th>Type</th><th>Meaning</th></tr>${rows.join("")}</table>`;
}

function typeOf(schema: unknown): string {
  const { $ref, type, items, enum: values, anyOf, oneOf, const: constant } = (schema ?? {}) as Schema;
  if ($ref) {
    const name = $ref.split("/").at(-1) ?? "";
    return `<a href="#record-${anchor(name)}">${escapeHtml(name)}</a>`;
  }
  if (values) return values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(" | ");
  if (constant !== undefined) return `<code>${escapeHtml(JSON.stringify(constant))}</code>`;
  const choices = anyOf ?? oneOf;
  if (choices) return choices.map(typeOf).join(" or ");
  if (type === "array") return `array of ${items ? typeOf(items) : "anything"}`;
  return escapeHtml([type ?? "anything"].flat().join(" or "));
}

function limits({ minimum, maximum, minLength, maxLength, minItems }: Schema): string {
  const parts = [
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}.` : "",
    minLength !== undefined || maxLength !== undefined
      ? `${minLength ?? 0} to ${maxLength ?? "any number of"} characters.`
      : "",
    minItems !== undefined ? `At least ${minItems}.` : "",
  ];
  return parts.filter(Boolean).join(" ");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] as string);
const inline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
const anchor = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#dde1e6,#30363d);--soft:light-dark(#f6f7f9,#161b22);--text:light-dark(#1a1d21,#e6edf3);--link:light-dark(#2b59c3,#79a8ff)}
*{box-sizing:border-box}body{margin:0;font:15px/1.6 system-ui,sans-serif;color:var(--text);background:light-dark(#fff,#0d1117);display:grid;grid-template-columns:14rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);background:var(--soft)}
nav ul{list-style:none;padding:0}nav a{display:block;padding:.2rem 0}a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
main{padding:1.5rem 2.5rem 6rem;max-width:64rem}h1{margin-top:0}h2{margin-top:3rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}
article{margin:1.5rem 0;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:8px}h3{margin:.2rem 0 .6rem;font-size:1rem}h4{margin:1rem 0 .3rem;font-size:.85rem;text-transform:uppercase;letter-spacing:.04em}
code{font:13px ui-monospace,monospace;background:var(--soft);padding:.1em .3em;border-radius:4px;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-size:.9rem;display:block;overflow-x:auto}td,th{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line)}
td:first-child code{white-space:nowrap}
.method{font:600 12px ui-monospace,monospace;padding:.15em .5em;border-radius:4px;color:#fff;background:#57606a}.method.get{background:#1f6feb}.method.post{background:#1a7f37}.method.patch{background:#9a6700}.method.delete{background:#cf222e}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}
`;
