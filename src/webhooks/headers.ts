export interface Header {
  key: string;
  value: string;
}

const HEADERS_MAX = 50;
const NAME_CHARS_MAX = 128;
const VALUE_CHARS_MAX = 4_096;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Set by us, or valid for one connection only (RFC 9110, 7.6.1). A content encoding would make the receiver decompress a
 * body that is not compressed.
 */
const RESERVED = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

type ParsedHeaders = { ok: true; headers: Header[] } | { ok: false; problems: string[] };

/**
 * Custom headers in any of the forms clients write: `[{ key, value }]`, `[{ name, value }]`, `[{ "X-Team": "a" }]`,
 * `[["K", "V"]]` and `{ "K": "V" }`.
 */
export function parseHeaders(input: unknown): ParsedHeaders {
  const tooMany: ParsedHeaders = { ok: false, problems: [`headers must have at most ${HEADERS_MAX} items.`] };
  if (Array.isArray(input) && input.length > HEADERS_MAX) return tooMany;
  const pairs = toPairs(input);
  if (!pairs) return { ok: false, problems: ["headers must be an array of key-value pairs, or an object."] };
  if (pairs.length > HEADERS_MAX) return tooMany;
  const problems = pairs.flatMap(({ position, key, value }) => {
    const problem = problemOf(key, value);
    return problem ? [`${position} ${problem}`] : [];
  });
  if (problems.length > 0) return { ok: false, problems };
  // A later header replaces an earlier one of the same name in any case. The content type is always ours.
  const byName = new Map<string, Header>();
  for (const { key, value } of pairs as unknown as Header[])
    if (key.toLowerCase() !== "content-type") byName.set(key.toLowerCase(), { key, value: value.trim() });
  return { ok: true, headers: [...byName.values()] };
}

interface Pair {
  position: string;
  key: unknown;
  value: unknown;
}

function toPairs(input: unknown): Pair[] | null {
  if (Array.isArray(input)) return input.flatMap((item, index) => itemPairs(item, `headers[${index}]`));
  return isObject(input)
    ? Object.entries(input).map(([key, value]) => ({ position: `headers.${key.slice(0, NAME_CHARS_MAX)}`, key, value }))
    : null;
}

function itemPairs(item: unknown, position: string): Pair[] {
  if (Array.isArray(item)) return item.length === 2 ? [{ position, key: item[0], value: item[1] }] : [broken(position)];
  if (!isObject(item)) return [broken(position)];
  // An object with `key`, `name` or `value` has that form, so a missing half is an error, not a header called "key".
  if ("key" in item || "name" in item || "value" in item)
    return [{ position, key: "key" in item ? item.key : item.name, value: item.value }];
  const entries = Object.entries(item);
  return entries.length > 0 ? entries.map(([key, value]) => ({ position, key, value })) : [broken(position)];
}

const broken = (position: string): Pair => ({ position, key: undefined, value: undefined });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function problemOf(key: unknown, value: unknown): string | null {
  if (typeof key !== "string" || typeof value !== "string") return "must be a pair of two strings, a name and a value.";
  const name = key.toLowerCase();
  if (!TOKEN.test(key) || key.length > NAME_CHARS_MAX) return "must have a valid header name.";
  if (RESERVED.has(name) || /^(webhook|parley)-/.test(name))
    return `(${name}) must not be set: the header is reserved.`;
  if (name === "content-type" && !/^application\/json\s*(;\s*charset=utf-8)?$/i.test(value.trim()))
    return "(content-type) must be application/json.";
  if (value.length > VALUE_CHARS_MAX) return `must have at most ${VALUE_CHARS_MAX} characters.`;
  // Visible ASCII, space and Latin-1: what is sent as one byte each, and no control characters, of which U+0085 is a
  // line break to some. A tab is one too, although RFC 9110 allows it in a value.
  return /^[\x20-\x7e\xa0-\xff]*$/.test(value) ? null : "must not contain control characters or text beyond Latin-1.";
}
