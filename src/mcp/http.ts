import { Parley, ParleyError } from "@parley/client";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

interface McpHttpOptions {
  allowSend: boolean;
  /** Of Parley. */
  version: string;
  bodyBytesMax: number;
  /** Runs the work when its workspace may have another request in progress here. */
  runInTurn: <T>(workspaceId: number, work: () => Promise<T>) => Promise<T>;
  onError: (error: Error) => void;
}

/** Whom a request was admitted as. */
interface Admitted {
  parley: Parley;
  scopes: string[];
  workspaceId: number;
}

/** The base of URLs that are used only inside this process. */
const IN_PROCESS_URL = "http://parley.invalid";

/**
 * `/mcp` over HTTP. It has no rights of its own: every tool is a request to this server's API with the caller's key, from
 * the caller's address, inside this process. So scopes, rate limits, validation and the log hold as for any other request.
 */
export function registerMcp(fastify: FastifyInstance, options: McpHttpOptions): void {
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: options.bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ["GET", "POST", "DELETE"],
      url: "/mcp",
      // Before the body is read: a caller without a key sends only headers.
      async onRequest(request, reply) {
        const caller = await admit(fastify, request);
        if (caller instanceof ParleyError) return refuse(reply, caller);
        admitted.set(request, caller);
      },
      async handler(request, reply) {
        const caller = admitted.get(request) as Admitted;
        if (isBatch(request.body)) return sendJson(reply, 400, BATCH_REFUSED);
        // Until the client has read the response: those that wait to be read take up memory.
        await options.runInTurn(caller.workspaceId, async () => {
          if (!reply.raw.destroyed) await sendAndWait(reply, await respond(request, caller, options));
        });
        return reply;
      },
    });
  });
}

async function admit(fastify: FastifyInstance, request: FastifyRequest): Promise<Admitted | ParleyError> {
  // A browser sends its cookies by itself; only a key that a program sends on purpose counts here.
  const parley = inProcessClient(fastify, request, request.headers.authorization ?? "");
  try {
    const { scopes, workspace } = await parley.me({ maxRetries: 0 });
    return { parley, scopes, workspaceId: workspace.id };
  } catch (error) {
    if (error instanceof ParleyError && error.status > 0) return error;
    throw error;
  }
}

/** The results of all calls of a batch would be in memory at once: thousands, from one request. */
const isBatch = (body: unknown): boolean => typeof body === "string" && /^\s*\[/.test(body);

const BATCH_REFUSED = {
  jsonrpc: "2.0",
  error: { code: -32600, message: "Send one JSON-RPC message per request: batches are not supported." },
  id: null,
};

/** Loaded with the first request: a server without MCP clients does not pay for the protocol's library. */
const loadProtocol = () => Promise.all([import("@modelcontextprotocol/server"), import("./server.ts")]);

async function respond(
  request: FastifyRequest,
  { parley, scopes }: Admitted,
  { allowSend, version, onError }: McpHttpOptions,
): Promise<McpResponse> {
  const [{ createMcpHandler }, { createMcpServer }] = await loadProtocol();
  const handler = createMcpHandler(() => createMcpServer({ parley, scopes, allowSend, version }), {
    onerror: onError,
    // Nothing here changes while a connection is open, and an endless response would outlast the drain of the server.
    maxSubscriptions: 0,
  });
  const response = await handler.fetch(toWebRequest(request));
  const text = await response.text();
  await handler.close();
  return { status: response.status, headers: response.headers, text };
}

interface McpResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Resolves when the client has the response, or is gone. */
function sendAndWait(reply: FastifyReply, { status, headers, text }: McpResponse): Promise<void> {
  return new Promise((resolve) => {
    reply.raw.once("close", resolve);
    if (reply.raw.destroyed) resolve();
    reply.code(status);
    for (const [name, value] of headers) reply.header(name, value);
    reply.serializer(String).send(text);
  });
}

const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).type("application/json; charset=utf-8").serializer(JSON.stringify).send(body);

function refuse(reply: FastifyReply, { status, code, message, retryAfter }: ParleyError): FastifyReply {
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  const waits = status === 429 ? { retry_after: retryAfter ?? 1 } : {};
  const unauthenticated = status === 401 ? { message: "Unauthenticated" } : {};
  return sendJson(reply, status, { success: false, ...unauthenticated, error: { code, message, ...waits } });
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && name !== "cookie") headers.set(name, String(value));
  const body = typeof request.body === "string" && request.body !== "" ? request.body : null;
  return new Request(`${IN_PROCESS_URL}/mcp`, { method: request.method, headers, body });
}

/** The typed client, whose requests are passed to this server without a socket. */
function inProcessClient(fastify: FastifyInstance, { ip }: FastifyRequest, authorization: string): Parley {
  return new Parley({
    url: IN_PROCESS_URL,
    // Never used: the header below is the caller's own, whatever it is.
    key: "unused",
    headers: { authorization },
    maxRetries: 0,
    fetch: async (input, init = {}) => {
      const url = new URL(String(input));
      const { statusCode, headers, body } = await fastify.inject({
        method: init.method as "GET",
        url: url.pathname + url.search,
        headers: init.headers as Record<string, string>,
        remoteAddress: ip,
        ...(init.body === undefined ? {} : { payload: String(init.body) }),
      });
      return new Response(body, { status: statusCode, headers: flat(headers) });
    },
  });
}

const flat = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
