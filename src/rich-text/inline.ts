import { ADDRESS, hrefOfAddress, safeHref, trimmed } from "./links.ts";
import type { RichNode } from "./nodes.ts";

const MARKS = ["*", "**", "***", "_"] as const;
type Mark = (typeof MARKS)[number];
type Opener = Mark | "[";

/** What has a meaning: an escaped sign, code, a mark, a bracket, an address. Everything between is text. */
const TOKEN = new RegExp(`\\\\[*_\`[\\]>•-]|\\\\[.)](?=\\s)|\`+|\\*+|_+|\\[|\\]|${ADDRESS}`, "gi");
const TARGET = /\]\(([^\s()<>[\]]*(?:\([^\s()<>[\]]*\)[^\s()<>[\]]*)*)\)/y;

/** What is being read: one line, from its beginning to its end. */
interface Reading {
  line: string;
  position: number;
  nodes: RichNode[];
  /** Where in `nodes` each mark that may begin something is: at most one of each kind, so that nothing nests deeply. */
  open: Partial<Record<Opener, number>>;
  /** Marks of code of these lengths have no second one in the rest of the line. */
  unpaired: Set<number>;
}

/** One line. Each sign is looked at a fixed number of times, whatever the line is. */
export function inlineOf(line: string): RichNode[] {
  const reading: Reading = { line, position: 0, nodes: [], open: {}, unpaired: new Set() };
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(line); match; match = TOKEN.exec(line)) {
    addText(reading, match.index);
    take(reading, match[0]);
    TOKEN.lastIndex = reading.position;
  }
  addText(reading, line.length);
  return joined(reading.nodes);
}

function take(reading: Reading, token: string): void {
  const first = token.charAt(0);
  if (first === "\\") takeEscaped(reading, token);
  else if (first === "`") takeCode(reading, token);
  else if (first === "[") open(reading, "[", token);
  else if (first === "]") takeTarget(reading);
  else if (MARKS.includes(token as Mark)) takeMark(reading, token as Mark);
  else if (first === "*" || first === "_") addNode(reading, token, token.length);
  else takeAddress(reading, token);
}

function addText(reading: Reading, end: number): void {
  if (end > reading.position) addNode(reading, reading.line.slice(reading.position, end), end - reading.position);
}

function addNode(reading: Reading, node: RichNode, length: number): void {
  reading.nodes.push(node);
  reading.position += length;
}

const NUMBER_BEFORE = /^ {0,3}\d{1,3}\\*$/;

/** `1\. ` begins no list. Elsewhere a backslash before a full stop is one, as at the end of a path. */
function takeEscaped(reading: Reading, token: string): void {
  const { line, position, nodes } = reading;
  const sign = token.charAt(1);
  const endsNumber = nodes.length === 1 && NUMBER_BEFORE.test(line.slice(0, position));
  addNode(reading, ".)".includes(sign) && !endsNumber ? token : sign, token.length);
}

/** One or two marks, and as many at the end. Nothing in code means anything. */
function takeCode(reading: Reading, mark: string): void {
  const { line, position, unpaired } = reading;
  const from = position + mark.length;
  const end = mark.length > 2 || unpaired.has(mark.length) ? -1 : sameMark(line, mark, from);
  if (end === -1) unpaired.add(mark.length);
  if (end === -1) addNode(reading, mark, mark.length);
  else addNode(reading, { tag: "code", inside: [line.slice(from, end)] }, end + mark.length - position);
}

function sameMark(line: string, mark: string, from: number): number {
  for (let at = line.indexOf("`", from); at !== -1; ) {
    let end = at;
    while (line.charAt(end) === "`") end++;
    if (end - at === mark.length) return at;
    at = line.indexOf("`", end);
  }
  return -1;
}

const isSpace = (sign: string): boolean => sign === "" || /\s/.test(sign);
/** Within a word a mark is part of it: `2*3*4`, `snake_case_name`. Scripts without spaces have no words in this sense. */
const isWord = (sign: string, mark: Mark): boolean => (mark === "_" ? /[\p{L}\p{N}_]/u : /[A-Za-z0-9]/).test(sign);

function takeMark(reading: Reading, mark: Mark): void {
  const { line, position } = reading;
  const before = line.charAt(position - 1);
  const after = line.charAt(position + mark.length);
  const begin = reading.open[mark];
  if (begin !== undefined && begin < reading.nodes.length - 1 && !isSpace(before) && !isWord(after, mark))
    close(reading, begin, mark);
  else if (!isSpace(after) && !isWord(before, mark)) open(reading, mark, mark);
  else addNode(reading, mark, mark.length);
}

function open(reading: Reading, opener: Opener, text: string): void {
  reading.open[opener] = reading.nodes.length;
  addNode(reading, text, text.length);
}

function close(reading: Reading, begin: number, mark: Mark): void {
  const inside = joined(takeFrom(reading, begin));
  const node: RichNode = mark === "*" || mark === "_" ? { tag: "em", inside } : { tag: "strong", inside };
  addNode(reading, mark === "***" ? { tag: "em", inside: [node] } : node, mark.length);
}

/** Removes an opener and what follows it. Other openers among that have no end: they were text. */
function takeFrom({ nodes, open }: Reading, begin: number): RichNode[] {
  for (const opener of Object.keys(open) as Opener[]) if ((open[opener] ?? 0) >= begin) delete open[opener];
  return nodes.splice(begin).slice(1);
}

/** `[text](address)`. An address within the text leads nowhere of its own. */
function takeTarget(reading: Reading): void {
  const { line, position, open, nodes } = reading;
  const begin = open["["];
  delete open["["];
  TARGET.lastIndex = position;
  const target = begin === undefined || begin === nodes.length - 1 ? null : TARGET.exec(line);
  const href = target?.[1] ? safeHref(target[1]) : null;
  if (!target || href === null || begin === undefined) {
    addNode(reading, "]", 1);
    return;
  }
  const inside = joined(takeFrom(reading, begin).map(withoutLinks));
  addNode(reading, { tag: "a", href, inside }, target[0].length);
}

function withoutLinks(node: RichNode): RichNode {
  if (typeof node === "string") return node;
  const inside = joined(node.inside.map(withoutLinks));
  return node.tag === "a" ? inside.map(textOf).join("") : { ...node, inside };
}

const textOf = (node: RichNode): string => (typeof node === "string" ? node : node.inside.map(textOf).join(""));

function takeAddress(reading: Reading, candidate: string): void {
  const isMarked = MARKS.some((mark) => reading.open[mark] !== undefined);
  const text = trimmed(isMarked ? withoutMarks(candidate) : candidate);
  const href = hrefOfAddress(text);
  addNode(reading, href === null ? text : { tag: "a", href, inside: [text] }, text.length);
}

/** In bold or italic text an address ends with the mark. */
function withoutMarks(address: string): string {
  let end = address.length;
  while (end > 0 && "*_.,;:!?".includes(address.charAt(end - 1))) end--;
  return address.slice(0, end);
}

/** Neighbouring texts as one. */
function joined(nodes: readonly RichNode[]): RichNode[] {
  const result: RichNode[] = [];
  let text: string[] = [];
  const flush = () => {
    if (text.length > 0) result.push(text.join(""));
    text = [];
  };
  for (const node of nodes) {
    if (typeof node === "string") text.push(node);
    else {
      flush();
      result.push(node);
    }
  }
  flush();
  return result;
}
