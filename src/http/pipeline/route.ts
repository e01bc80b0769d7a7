import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import type { Role } from "../../accounts/roles.ts";
import type { Principal } from "../../auth/principal.ts";
import type { Scope } from "../../auth/scopes.ts";
import type { Caller } from "../../core/caller.ts";
import type { ErrorCode, FieldErrors } from "../../core/errors.ts";
import type { Ref } from "../../core/ids.ts";
import type { Tx } from "../../db/database.ts";
import type { JsonRecord } from "../../db/list.ts";
import type { FileLinks } from "../../files/links.ts";
import type { VisitorNeeds } from "../../visitors/authorise.ts";
import type { Page } from "./paging.ts";

export const API_BASE = "/api/v1";
export const DASHBOARD_API_BASE = "/dashboard-api";

/**
 * A route of the API, described once: Fastify validates and serialises with these schemas, the OpenAPI description is written
 * from them, and the tests walk the list of all routes.
 */
export interface RouteSpec<
  Path extends string = string,
  Name extends string = string,
  Query extends TObject = TObject,
  Body extends TObject = TObject,
  Data extends TSchema = TSchema,
  Services = void,
> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below /api/v1, with `{name}` for a resource's id or uuid. */
  path: Path;
  /** The heading that it has in the description of the public API (routes/v1/index.ts). */
  tag?: string;
  /** The name of the operation in generated clients, where the one that follows from method and path reads badly. */
  operationId?: string;
  summary: string;
  description?: string;
  /** `any`: every valid key may call it. `public`: no key is required. */
  access: Scope | "any" | "public";
  /** Only users with one of these roles in the workspace. For the dashboard's own API; keys have no role. */
  roles?: readonly Role[];
  /** Only for signed-in users: an API key gets a 403. */
  peopleOnly?: true;
  /** Reached without a second factor where one is required: what is needed to set it up, and signing out. */
  beforeSecondFactor?: true;
  /** A route of the visitors of a widget, and what it asks of them. */
  visitor?: VisitorNeeds;
  /** Of a public route that takes more than a few fields. */
  bodyBytesMax?: number;
  /** The parameter of the path that is a name, not an id. */
  name?: Name;
  query?: Query;
  body?: Body;
  /** A body that is not a JSON object is ignored instead of refused. */
  bodyIgnorable?: true;
  /** The body is a file: any type, a limit of its own, and `request.body` is its stream. */
  upload?: true | "message/rfc822";
  success: {
    status: 200 | 201 | 202;
    data: Data;
    /** A request that replaces a record instead of creating one gets a 200. */
    replaces?: true;
    /** The response has `message`; the text is the one that the description shows. */
    message?: true | string;
    /** `optional`: only when the request asks for a page. */
    paged?: "always" | "optional";
    /** The response has `meta` with the cursor of the next page. */
    cursor?: true;
    /** The response is a stream of server-sent events. */
    streamed?: true;
    /** The response is plain text. */
    text?: true;
  };
  /** The handler waits for another server: it does not count among the workspace's database work. */
  waitsOutside?: true;
  /** A POST that changes nothing: it counts among the workspace's reads. */
  onlyReads?: true;
  /** Errors beyond those that follow from the rest of the spec. */
  errors?: readonly ErrorCode[];
  /** The response holds an API key's secret: it is never stored, not even for an `Idempotency-Key`. */
  returnsKeySecret?: true;
  /**
   * What a repeat under an `Idempotency-Key` is shown of the stored response: since then the caller may have lost the scope
   * to read it.
   */
  visible?: (viewer: Viewer, stored: Static<Data>, body: Static<Body>) => RouteResponse<Static<Data>>;
  /**
   * Rules that a schema cannot express, reported together with the schema's own. Gets only the fields that are valid so far.
   */
  check?: (
    context: Context<IdsOf<Path, Name>, Partial<Static<Query>>, Partial<Static<Body>>>,
    services: Services,
  ) => Awaitable<FieldErrors>;
  /** Throws when the resource in the path is missing. Asked only when the request is invalid: 404 comes before 422. */
  exists?: (context: Context<IdsOf<Path, Name>>, services: Services) => Promise<unknown>;
  handler: (
    context: Context<IdsOf<Path, Name>, Static<Query>, Static<Body>>,
    services: Services,
  ) => Promise<RouteResponse<Static<Data>> | JsonRouteResponse | typeof STREAMED>;
}

/** The parameters of a path that are ids or uuids: of `/webhooks/{webhook}/logs/{log}` webhook and log. */
type IdsOf<Path extends string, Name extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Param}}${infer Rest}`
    ? Exclude<Param, Name> | IdsOf<Rest, Name>
    : never;

/** What decides which fields a response shows. */
export type Viewer = Pick<Caller, "scopes">;

type Awaitable<T> = T | Promise<T>;

/** The handler has taken over the socket and sends the response itself. */
export const STREAMED = Symbol("streamed");

export interface RouteResponse<Data = unknown> {
  data: Data;
  message?: string;
  page?: Page;
  cursor?: { next_cursor: string | null; has_more: boolean };
  /** Instead of the route's own. */
  status?: 200;
  /** The data lacks fields that the schema requires: the caller may not read them. */
  reduced?: true;
}

/** A list whose records are JSON that the database wrote. */
export interface JsonRouteResponse extends RouteResponse<readonly JsonRecord[]> {
  isJson: true;
}

export interface Context<Params extends string = string, Query = unknown, Body = unknown> {
  principal: Principal;
  /** Who makes the request, for domain functions. */
  caller: Caller;
  params: Record<Params, Ref>;
  /** What the path says where the spec has `name`; otherwise empty. */
  name: string;
  query: Query;
  body: Body;
  request: FastifyRequest;
  reply: FastifyReply;
  /** How links to files are written for this request. */
  links: FileLinks;
  /** Runs reads of a handler that otherwise waits outside, when the workspace may use the database. */
  read<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs a change in a transaction. Where it is the whole work of the request, a function that writes it may leave the
   * transaction and write it together with those of other requests. With an `Idempotency-Key` a repeat gets the first
   * response and changes nothing.
   */
  write<D>(work: (tx: Tx) => Promise<RouteResponse<D>>): Promise<RouteResponse<D>>;
  /** The same for an upload, whose body has already been read: `identity` describes it. */
  writeUploaded<D>(identity: object, work: (tx: Tx) => Promise<RouteResponse<D>>): Promise<RouteResponse<D>>;
  /** The same for work that waits for another server, during which no transaction is held. */
  writeWithoutTransaction<D>(work: () => Promise<RouteResponse<D>>): Promise<RouteResponse<D>>;
}

/** A route whose handlers work with services that it has not been given yet. */
export type RouteOf<Services> = RouteSpec<string, string, TObject, TObject, TSchema, Services>;

/** Makes the routes of one API. Only for its types: infers each part of a spec from its schemas. */
export const routeWith =
  <Services>() =>
  <
    const Path extends string,
    const Name extends string = never,
    Query extends TObject = TObject,
    Body extends TObject = TObject,
    Data extends TSchema = TSchema,
  >(
    spec: RouteSpec<Path, Name, Query, Body, Data, Services>,
  ): RouteOf<Services> =>
    spec as unknown as RouteOf<Services>;

export const withServices = <Services>(routes: readonly RouteOf<Services>[], services: Services): RouteSpec[] =>
  routes.map(({ handler, check, exists, ...spec }) => ({
    ...spec,
    handler: (context) => handler(context, services),
    ...(check ? { check: (context) => check(context, services) } : {}),
    ...(exists ? { exists: (context) => exists(context, services) } : {}),
  }));
