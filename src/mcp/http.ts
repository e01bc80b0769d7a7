import { Parley, ParleyError } from "@parley/client";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

interface McpHttpOptions {
  allowSend: boolean;
  bodyBytesMax: number;
  onError: (error: Error) => void;
}

/** The base of URLs that are used only inside this process. */
const IN_PROCESS_URL = "http://parley.invalid";

/**
 * `/mcp` over HTTP. It has no rights of its own: every tool is a request to this server's API with the caller's key, from
 * the caller's address, inside this process. So scopes, rate limits, validation and the log hold as for any other request.
 */
export function registerMcp(fastify: FastifyInstance, options: McpHttpOptions): void {
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: options.bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: ["GET", "POST", "DELETE"],
      url: "/mcp",
      handler: (request, reply) => serve(fastify, options, request, reply),
    });
  });
}

/** Loaded with the first request: a server without MCP clients does not pay for the protocol's library. */
const loadProtocol = () => Promise.all([import("@modelcontextprotocol/server"), import("./server.ts")]);

async function serve(
  fastify: FastifyInstance,
  options: McpHttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // A browser sends its cookies by itself; only a key that a program sends on purpose counts here.
  const { authorization } = request.headers;
  const parley = inProcessClient(fastify, request, authorization ?? "");
  let scopes: string[];
  try {
    scopes = (await parley.me({ maxRetries: 0 })).scopes;
  } catch (error) {
    if (error instanceof ParleyError && error.status > 0) return refuse(reply, error);
    throw error;
  }
  const [{ createMcpHandler }, { createMcpServer }] = await loadProtocol();
  const handler = createMcpHandler(() => createMcpServer({ parley, scopes, allowSend: options.allowSend }), {
    onerror: options.onError,
    // Nothing here changes while a connection is open, and an endless response would outlast the drain of the server.
    maxSubscriptions: 0,
  });
  const response = await handler.fetch(toWebRequest(request));
  const text = await response.text();
  await handler.close();
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  return reply.serializer(String).send(text);
}

function refuse(reply: FastifyReply, { status, code, message, retryAfter }: ParleyError): FastifyReply {
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  const body = { success: false, ...(status === 401 ? { message: "Unauthenticated" } : {}), error: { code, message } };
  return reply.code(status).type("application/json; charset=utf-8").serializer(JSON.stringify).send(body);
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
