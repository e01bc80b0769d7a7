import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Fault, invalid } from "../../core/errors.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import type { RouteSpec } from "./route.ts";
import { findUnstorable } from "./storable.ts";

const FORMS = /^\s*(application\/x-www-form-urlencoded|multipart\/)/i;
const NESTING_MAX = 64;
/** From this size on a body takes milliseconds: one is parsed per turn of the event loop, and workspaces take turns. */
const LARGE_BYTES = 65_536;
/** A text takes less; tens of thousands of fields take more. */
const SLOW_MS = 5;

/**
 * How bodies are read: whatever parses as a JSON object is accepted, whatever its content type says; forms
 * and compressed bodies are refused; a route without a body ignores what is sent.
 */
export function acceptBodies(server: FastifyInstance): void {
  const parsing = createFairQueue({
    concurrency: 1,
    perKey: 1,
    // Requests of a workspace are limited already.
    waitingPerKeyMax: Number.POSITIVE_INFINITY,
    onFull: () => new Error("unreachable"),
  });
  server.removeAllContentTypeParsers();
  // Fastify itself responds with 415 to a header that is not a media type; for us such a header is merely odd.
  server.addHook("onRequest", (request, _reply, done) => {
    const type = request.headers["content-type"];
    if (type !== undefined && !(isForm(type) && readsBody(request)))
      request.headers["content-type"] = "application/json";
    done();
  });
  server.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, bytes: Buffer) => {
    const spec: RouteSpec | undefined = request.routeOptions.config.spec;
    if (!spec) return undefined;
    if (!spec.body) {
      request.ignoredBody = parseOrNothing(bytes);
      return undefined;
    }
    if (spec.bodyIgnorable) return parseOrNothing(bytes);
    if (bytes.length > 0) requireMediaType(request);
    const known = spec.body.properties;
    if (bytes.length < LARGE_BYTES) return parseBody(bytes, known);
    return parsing.run(workspaceOf(request), async () => {
      await nextTurn();
      const begunAt = performance.now();
      try {
        return parseBody(bytes, known);
      } finally {
        const tookMs = performance.now() - begunAt;
        // A response to another client takes several turns.
        if (tookMs > SLOW_MS) await sleep(tookMs);
      }
    });
  });
}

const workspaceOf = ({ principal, visitor, ip }: FastifyRequest) =>
  principal?.workspaceId ?? visitor?.workspaceId ?? ip;

export const isForm = (type: string): boolean => FORMS.test(type);

export function requireUncompressed({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity")
    throw new Fault(
      "UNSUPPORTED_MEDIA_TYPE",
      `Send the body uncompressed: the content encoding ${encoding.slice(0, 64)} is not supported.`,
    );
}

function requireMediaType(request: FastifyRequest): void {
  requireUncompressed(request);
  const { headers } = request;
  if (isForm(headers["content-type"] ?? "")) throw notJson();
}

export const notJson = (): Fault => new Fault("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json.");

function readsBody(request: FastifyRequest): boolean {
  const spec: RouteSpec | undefined = request.routeOptions.config.spec;
  return spec?.body !== undefined && !spec.bodyIgnorable;
}

function parseOrNothing(bytes: Buffer): object {
  try {
    return parseBody(bytes);
  } catch {
    return {};
  }
}

/** What cannot be stored is refused here, unless it is in one of the known fields: their validation says where it is. */
export function parseBody(bytes: Buffer, known: object = {}): object {
  if (bytes.length === 0) return {};
  const text = decode(bytes);
  if (text.trim() === "") return {};
  requireShallow(text);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("must be a JSON object.");
  // Escapes are the only way to write NUL or half a surrogate pair into UTF-8 text, and only a large exponent or very many
  // digits are beyond a double, which would be stored as null; most bodies have none of them.
  if (/\\u(0000|[dD][89a-fA-F])|\d[eE]\+?\d{3}|\d{309}/.test(text)) requireStorable(value, known);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed("must be UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    // `__proto__` becomes a field like any other and changes no prototype; validation refuses it in what would be stored.
    return JSON.parse(text);
  } catch {
    throw malformed("must be valid JSON.");
  }
}

function requireStorable(body: object, known: object): void {
  const others = Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(known, name)));
  const found = findUnstorable(others, { isKnown: false });
  if (found) throw malformed(found.problem);
}

/**
 * Counts brackets outside strings: a deep body would otherwise overflow the stack of code that walks it by recursion. Before
 * it is parsed, which takes a hundred milliseconds for a megabyte of brackets.
 */
function requireShallow(text: string): void {
  if (!/[[{]/.test(text.slice(1))) return;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 92) i++;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 91 || char === 123) {
      if (++depth > NESTING_MAX) throw malformed(`must not be nested deeper than ${NESTING_MAX} levels.`);
    } else if (char === 93 || char === 125) depth--;
  }
}

const malformed = (what: string): Fault => invalid({ body: [`The body ${what}`] });
