import { parseSync } from "vite";
import { readTree, type SourceFile } from "./source-text.ts";

/** The texts of the dashboard's code: those that pass through `lib/texts.ts`, and those that do not. */
export interface Found {
  readonly path: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Attributes that people never read. */
const MUTE_ATTRIBUTES =
  /^(?:className|type|key|href|to|id|htmlFor|name|role|style|rel|target|method|autoComplete|autoCapitalize|inputMode|enterKeyHint|data-(?!label$).*|aria-(?:live|controls|labelledby|describedby|current|haspopup|sort|hidden|relevant|autocomplete|orientation|keyshortcuts)|d|viewBox|fill|stroke.*|src|srcSet|sizes|loading|value|variant|tone|size|side|align|form|as|lang|dir|pattern|accept|wrap|sandbox|path|language|code)$/;

/** Attributes whose words people read, even a single one without a capital. */
const ALWAYS_READ =
  /^(?:aria-label|aria-description|title|label|hint|placeholder|description|confirm|what|alt|data-label)$/;

/** Elements whose text is for the machine, and the same in every language. */
const MUTE_ELEMENTS = /^(?:code|kbd|pre|samp)$/;

/** Calls whose strings are for the machine or for its logs. */
const MUTE_CALLS =
  /^(?:t|rich|plural|says|page|authPage|Error|RegExp|Intl\.\w+|console\.\w+|.*\.(?:querySelector(?:All)?|matches|closest|addEventListener|removeEventListener|getItem|setItem|removeItem|dispatchEvent|setAttribute|getAttribute|startsWith|endsWith|includes|split|replace|replaceAll|localeCompare|indexOf|getPropertyValue|execCommand|toggle|contains|headers\.get)|import|api|apiPage|apiAll|apiVersioned|apiCursorPage|dashboardApi|dashboardPage|fetch|cx)$/;

/** Names of keys, headers, browsers and the like, which are the same in every language. */
const NAMES =
  /^(?:Enter|Escape|Tab|Backspace|Home|End|Shift|Control|Alt|Meta|Space|Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Shift\+.*|Control\+.*|Alt\+.*|\$mod\+\S+|[A-Z][a-z]+(?:Error|Event)|Parley|Content-Type|Idempotency-Key|GET|POST|PUT|PATCH|DELETE|Edge|Opera|Firefox|Chrome|Safari|Android|Windows|Linux|macOS|iOS|iPadOS|ChromeOS|ms|kB|MB|px|Node|Python|Ruby|PHP|Go|Slack|Discord|Teams|Mattermost|Yahoo|Fastmail|Zoho|Posteo)$/;

/** The same in every language: names, addresses, headers, selectors and hidden secrets. */
const isName = (text: string): boolean =>
  NAMES.test(text) || /^(?:(?:https?:\/\/\S* ?)+\w*|\S+@\S+\.\w+|X-[\w-]+|.*[[\]•].*)$/.test(text);

const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text) && !isName(text.trim());
const isSentence = (text: string): boolean =>
  hasWord(text) && (/\p{L}[\p{L}’',.…:;!?]*\s+\S*\p{L}/u.test(text.trim()) || /^(?:\s*[A-Z]-?|\d+ )[a-z]+/.test(text));

/** Code for servers is shown as it is written, and languages by their own names. */
const NOT_TEXT =
  /\.d\.ts$|\/lib\/language\.ts$|\/src\/texts\/|schema\.ts$|\/snippets\.ts$|\/snippets\/|-presets\.ts$|\/presets\/|\/recipes?\//;

export const dashboardFiles = (): SourceFile[] =>
  readTree("dashboard/src", (path) => /\.tsx?$/.test(path) && !NOT_TEXT.test(path));

/** Texts that people read and that nothing translates. */
export function untranslated(file: SourceFile): Found[] {
  const found: Found[] = [];
  walk(parse(file), [], (node, parents) => {
    const text = readableText(node, parents);
    if (text !== null && !isMute(node, parents)) found.push(foundAt(file, node, text.trim()));
  });
  return found;
}

export const foundAt = ({ path, text: source }: SourceFile, { start, end }: Node, text: string): Found => ({
  path,
  line: source.slice(0, start).split("\n").length,
  start,
  end,
  text,
});

function readableText(node: Node, parents: readonly Node[]): string | null {
  const [parent, above] = parents;
  const value = node.value;
  if (node.type === "TemplateLiteral" && above?.type === "JSXAttribute" && ALWAYS_READ.test(nameOf(above.name as Node)))
    return wordsOf(node).some((part) => hasWord(part) && !part.startsWith("{ ")) ? wordsOf(node).join("{}") : null;
  if (parent?.type === "JSXAttribute" && ALWAYS_READ.test(nameOf(parent.name as Node)))
    return typeof value === "string" && hasWord(value) && !value.includes("•") ? value : null;
  if (node.type === "JSXText")
    return /\p{L}/u.test(value as string) && !isName((value as string).trim()) ? (value as string) : null;
  if (node.type === "Literal" && typeof value === "string")
    return isSentence(value) || (isShown(parents) && hasWord(value)) ? value : null;
  return node.type === "TemplateLiteral" ? textOfTemplate(node) : null;
}

/** One of the values of an expression between elements: `{isNote && " · note"}`. */
function isShown(parents: readonly Node[]): boolean {
  const index = parents.findIndex(({ type }) => !/^(?:Logical|Conditional|Parenthesized)Expression$/.test(type));
  return (
    parents[index]?.type === "JSXExpressionContainer" &&
    /^JSX(?:Element|Fragment)$/.test(parents[index + 1]?.type ?? "")
  );
}

const wordsOf = (node: Node): string[] =>
  (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);

function textOfTemplate(node: Node): string | null {
  const parts = wordsOf(node);
  const whole = parts.join("{}");
  const isPath = /^[\w-]*[/.#?&=:{]/.test(whole.replace(/^\{\}/, ""));
  // A value counts as a word: "{} deleted." is a sentence.
  return isSentence(whole.replaceAll("{}", "X")) && parts.some((part) => hasWord(part)) && !isPath ? whole : null;
}

function isMute(node: Node, parents: readonly Node[]): boolean {
  const parent = parents[0] as Node;
  if (node.type === "JSXText") return MUTE_ELEMENTS.test(elementName(parent));
  if (/^(?:Import|Export)/.test(parent.type) || isTypeOnly(parent)) return true;
  if (parent.type === "Property" && parent.key === node) return true;
  if (parent.type === "SwitchCase" || (parent.type === "BinaryExpression" && parent.operator !== "+")) return true;
  if (/^(?:MemberExpression|TaggedTemplateExpression|ImportExpression)$/.test(parent.type)) return true;
  for (const above of parents) {
    if (above.type === "JSXAttribute") {
      const attribute = nameOf(above.name as Node);
      // A field's name has no blanks; what a part of the page calls its name may be read.
      const isRead = attribute === "name" && / /.test(String(node.value));
      return MUTE_ATTRIBUTES.test(attribute) && !isRead;
    }
    if (/Function|JSXElement|JSXFragment/.test(above.type)) return false;
    if (/^(?:Call|New)Expression$/.test(above.type)) return MUTE_CALLS.test(nameOf(above.callee as Node));
  }
  return false;
}

const elementName = ({ openingElement }: Node): string =>
  openingElement ? nameOf((openingElement as Node).name as Node) : "";

const isTypeOnly = ({ type }: Node): boolean =>
  type.startsWith("TS") && !/^TS(?:As|Satisfies|NonNull)Expression$/.test(type);

export function nameOf(node: Node): string {
  if (node.type === "MemberExpression") return `${nameOf(node.object as Node)}.${nameOf(node.property as Node)}`;
  return typeof node.name === "string" ? node.name : "";
}

export const parse = ({ path, text }: SourceFile): Node => parseSync(path, text).program as unknown as Node;

type Visit = (node: Node, parents: readonly Node[]) => void;

export function walk(node: Node, parents: readonly Node[], visit: Visit): void {
  visit(node, parents);
  for (const [field, value] of Object.entries(node)) {
    if (/^(?:typeAnnotation|typeArguments|returnType)$/.test(field)) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === "object" && typeof (child as Node).type === "string")
        walk(child as Node, [node, ...parents], visit);
  }
}
