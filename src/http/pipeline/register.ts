import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Principal } from "../../auth/principal.ts";
import { type Actor, userActor } from "../../core/actor.ts";
import { Fault, type FieldErrors, invalid, notFound } from "../../core/errors.ts";
import { parseRef, type Ref } from "../../core/ids.ts";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../db/database.ts";
import type { JsonRecord } from "../../db/list.ts";
import { createFileLinks } from "../../files/links.ts";
import type { Admit } from "./access.ts";
import { baseUrlOf } from "./base-url.ts";
import { successSchema } from "./envelope.ts";
import { NO_ENDPOINT, sendError } from "./errors.ts";
import { findReplay, writeOnce, writeOnceWithoutTransaction } from "./idempotency.ts";
import { pageParts, pagingProblems } from "./paging.ts";
import { type Context, type JsonRouteResponse, type RouteResponse, type RouteSpec, STREAMED } from "./route.ts";
import { prefersStrict, STRICT, unknownFieldFinder, unknownProblems, warningsOf } from "./unknown-fields.ts";
import type { UnreadResponses } from "./unread-responses.ts";
import { InvalidPart } from "./validation.ts";
import { isRead, type WorkspaceTurns } from "./workspace-turns.ts";

interface RegisterOptions {
  db: Database;
  secretBox: SecretBox;
  publicUrl: string | null;
  /** Where the path of the spec begins. */
  base: string;
  admit: Admit;
  turns: WorkspaceTurns;
  unread: UnreadResponses;
}

const PUBLIC_BODY_BYTES_MAX = 16_384;

type WideContext = Context<string, Record<string, unknown>, Record<string, unknown>>;

/** Turns a spec into a Fastify route. */
export function registerRoute(fastify: FastifyInstance, spec: RouteSpec, options: RegisterOptions): void {
  const { db, secretBox, publicUrl, base, admit, turns, unread } = options;
  const { status } = spec.success;
  const contextOf = contextBuilder(spec, options);
  const findUnknown = unknownFieldFinder(spec);

  fastify.route({
    method: spec.method,
    url: base + spec.path.replace(/\{(\w+)\}/g, ":$1"),
    config: { spec },
    // Anyone may call a public route: only with small bodies.
    ...(spec.access === "public" ? { bodyLimit: spec.bodyBytesMax ?? PUBLIC_BODY_BYTES_MAX } : {}),
    schema: {
      ...(spec.query ? { querystring: spec.query } : {}),
      ...(spec.body ? { body: spec.body } : {}),
      response: { [status]: successSchema(spec), ...(spec.success.replaces ? { 200: successSchema(spec) } : {}) },
    },
    async onRequest(request, reply) {
      // The router matches an empty `{key}` too; `/api-keys/` is not one of our paths.
      if (spec.path.includes("{") && Object.values(request.params as object).includes(""))
        throw new Fault("NOT_FOUND", NO_ENDPOINT);
      request.principal = await admit(spec, request, reply);
      request.originalQuery = request.query as Record<string, unknown>;
    },
    // The parser is not called for a request without any body.
    async preValidation(request) {
      if (spec.body && request.body === undefined) request.body = {};
      request.unknownFields = findUnknown(request);
    },
    async errorHandler(error, request, reply) {
      sendError(await missingFirst(error, request, reply), request, reply);
      // A long error body is compressed before it is sent; without this Fastify would send an empty one meanwhile.
      return reply;
    },
    attachValidation: true,
    async handler(request, reply) {
      const context = contextOf(request, reply);
      const workspaceId = workspaceOf(request);
      const response = await turns.run(spec, workspaceId, async () => {
        // What a write returns is short, and must not wait for readers.
        if (isRead(spec)) unread.requireRoom(workspaceId);
        const known = await replayOf(request, reply);
        if (!known) await requireValid(spec, context);
        return known ?? (await spec.handler(context));
      });
      if (response === STREAMED) return reply;
      reply.status(response.status ?? status);
      if (response.reduced) hideRest(reply);
      const body = envelope(response, request, publicUrl);
      return isJsonResponse(response) ? reply.type(JSON_TYPE).send(withRecords(response.data, body)) : body;
    },
  });

  /** A repeat gets the first response, even where the same request would no longer be valid today. */
  async function replayOf(request: FastifyRequest, reply: FastifyReply): Promise<RouteResponse | null> {
    const { principal } = request;
    if (!principal || request.validationError || spec.upload) return null;
    return findReplay({ db, secretBox, spec, principal, request, reply });
  }

  /** 404 comes before 422: an invalid request for a resource that does not exist gets the 404. */
  async function missingFirst(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (!(error instanceof Fault) || error.code !== "VALIDATION_ERROR" || !spec.path.includes("{")) return error;
    try {
      await spec.exists?.(contextOf(request, reply));
      return error;
    } catch (missing) {
      return missing;
    }
  }
}

/** Whose work a request is: of a key, a person or a visitor. */
const workspaceOf = ({ principal, visitor }: Pick<FastifyRequest, "principal" | "visitor">): number | undefined =>
  principal?.workspaceId ?? visitor?.workspaceId;

/** Returns a function that gives a handler its context. */
function contextBuilder(spec: RouteSpec, { db, secretBox, publicUrl, turns }: RegisterOptions) {
  return (request: FastifyRequest, reply: FastifyReply): WideContext => {
    // Null on public routes, whose handlers do not use it.
    const principal = request.principal as Principal;
    const write = { db, secretBox, spec, principal, request, reply };
    return {
      principal,
      caller: {
        workspaceId: principal?.workspaceId,
        actor: actorOf(principal),
        ip: request.ip,
        requestId: request.id,
        scopes: principal?.scopes,
        ...(principal?.kind === "api_key" ? { limits: principal } : {}),
      },
      params: refsOf(request.params as Record<string, string>, spec.name),
      name: (request.params as Record<string, string>)[spec.name ?? ""] ?? "",
      query: request.query as Record<string, unknown>,
      body: request.body as Record<string, unknown>,
      request,
      reply,
      links: createFileLinks(secretBox, () => baseUrlOf(request, publicUrl)),
      read: (work) => turns.read(principal.workspaceId, work),
      write: (work) => writeOnce(write, work),
      writeUploaded: (identity, work) => writeOnce({ ...write, identity }, work),
      writeWithoutTransaction: (work) => writeOnceWithoutTransaction(write, work),
    };
  };
}

function envelope(
  { data, message, page, cursor }: RouteResponse,
  request: FastifyRequest,
  publicUrl: string | null,
): object {
  return {
    success: true,
    data,
    ...(message === undefined ? {} : { message }),
    ...(cursor ? { meta: cursor } : {}),
    ...(page ? pageParts(page, request, baseUrlOf(request, publicUrl)) : {}),
    ...(request.unknownFields ? { warnings: warningsOf(request.unknownFields) } : {}),
  };
}

/** A response without the fields that the caller may not read. The version is a digest of all of them, which can be guessed. */
const hideRest = (reply: FastifyReply) => reply.serializer(JSON.stringify).removeHeader("etag");

const JSON_TYPE = "application/json; charset=utf-8";

const isJsonResponse = (response: RouteResponse | JsonRouteResponse): response is JsonRouteResponse =>
  "isJson" in response;

/** The body of a list whose records are JSON already and are inserted unchanged. */
function withRecords(records: readonly JsonRecord[], body: object): string {
  const rest = JSON.stringify({ ...body, success: undefined, data: undefined }).slice(1);
  const data = records.map(({ json }) => json).join(",");
  return `{"success":true,"data":[${data}]${rest === "}" ? "" : ","}${rest}`;
}

async function requireValid(spec: RouteSpec, context: WideContext): Promise<void> {
  const { validationError: failure, unknownFields } = context.request;
  if (failure && !(failure instanceof InvalidPart)) throw failure;
  if (failure?.validationContext === "querystring") context.query = failure.rest;
  if (failure?.validationContext === "body") context.body = failure.rest;
  const paging = spec.success.paged ? pagingProblems(context.query) : {};
  const known = merged(failure?.details ?? {}, (await spec.check?.(context)) ?? {});
  const isStrict = prefersStrict(context.request.headers.prefer);
  if (isStrict) context.reply.header("preference-applied", STRICT);
  const isRefused = isStrict && unknownFields !== null;
  const details = { ...paging, ...(isRefused ? merged(known, unknownProblems(unknownFields)) : known) };
  if (Object.keys(details).length > 0) throw invalid(details);
}

/** All problems of each field, those of the schema first. */
function merged(first: FieldErrors, second: FieldErrors): FieldErrors {
  const fields = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return Object.fromEntries(
    fields.map((field) => [field, [...new Set([...ownOf(first, field), ...ownOf(second, field)])]]),
  );
}

/** The name of an unknown field can be `__proto__`. */
const ownOf = (found: FieldErrors, field: string): string[] =>
  Object.hasOwn(found, field) ? (found[field] as string[]) : [];

/** For parameters named differently from their resource: a malformed id gets the same message as an unknown one. */
const RESOURCE_NAMES: Record<string, string> = { key: "API key", log: "delivery log" };

function refsOf(params: Record<string, string>, nameOfText?: string): Record<string, Ref> {
  const refs = Object.entries(params).filter(([name]) => name !== nameOfText);
  return Object.fromEntries(
    refs.flatMap(([name, text]) => {
      // Of the widget, which is not named by an id.
      if (name === "public_id") return [];
      const ref = parseRef(name === "event" ? eventUuid(text) : text);
      if (!ref) throw notFound(RESOURCE_NAMES[name] ?? name.replaceAll("_", " "));
      return [[name, ref]];
    }),
  );
}

/** Events are named by text, `evt_` and the digits of their uuid. */
const eventUuid = (text: string): string =>
  text.replace(/^evt_(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/, "$1-$2-$3-$4-$5");

function actorOf(principal: Principal | null): Actor {
  if (!principal) return { type: "system", id: null, name: null };
  if (principal.kind === "user") return userActor({ id: principal.userId, name: principal.userName });
  const { apiKeyId, keyName, type } = principal;
  return { type: type === "bot" ? "bot" : "api_key", id: apiKeyId, name: keyName, apiKeyId };
}
