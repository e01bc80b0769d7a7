import { type ConsumerBatch, type ConsumerReadOptions, readConsumer } from "./consumer.ts";
import type { Message, Operations, UploadedFile } from "./generated.ts";
import { type List, listOf } from "./paging.ts";
import { type StreamedEvent, type StreamOptions, streamEvents } from "./stream.ts";
import { type ParleyOptions, type RawRequest, type RawResponse, type RequestOptions, Transport } from "./transport.ts";

/** The operations of one kind: what follows the ids of a call is nothing, a query, a query of a list, or a body. */
type Keys<Kind> = { [K in keyof Operations]: Operations[K]["kind"] extends Kind ? K : never }[keyof Operations];
type Call<K extends keyof Operations> = Operations[K]["call"];

/** The API, one property per resource. What a method takes and returns is generated from the server's description. */
export interface Parley extends ReturnType<typeof resourcesOf> {
  /** Any request below /api/v1, with the same retries; returns the whole response. For what has no method here. */
  request<T = unknown>(method: string, path: string, request?: RawRequest): Promise<RawResponse<T>>;
}

export const Parley = class Parley {
  readonly #transport: Transport;

  constructor(options: ParleyOptions) {
    this.#transport = new Transport(options);
    Object.assign(this, resourcesOf(this.#transport));
  }

  request(method: string, path: string, request?: RawRequest): Promise<RawResponse> {
    return this.#transport.request(method, path, request);
  }
} as unknown as new (
  options: ParleyOptions,
) => Parley;

export type FileContent = NonNullable<RawRequest["rawBody"]>;

export interface UploadOptions extends RequestOptions {
  /** By default the type of the blob, or unknown bytes. */
  contentType?: string | undefined;
}

/** A file takes longer than other requests: ten minutes unless `timeoutMs` says otherwise. */
const UPLOAD_MS_MAX = 600_000;

async function uploadFile(
  transport: Transport,
  name: string,
  content: FileContent,
  { contentType, ...options }: UploadOptions = {},
): Promise<UploadedFile> {
  const type = contentType ?? (content instanceof Blob && content.type ? content.type : "application/octet-stream");
  const { data } = await transport.request<UploadedFile>("POST", "/files", {
    timeoutMs: UPLOAD_MS_MAX,
    ...options,
    query: { name },
    rawBody: content,
    headers: { ...options.headers, "content-type": type },
  });
  return data;
}

async function ingestMail(
  transport: Transport,
  mailbox: number | string,
  mail: FileContent,
  options: RequestOptions = {},
): Promise<Message | null> {
  const path = `/mailboxes/${encodeURIComponent(String(mailbox))}/messages`;
  const { data } = await transport.request<Message | null>("POST", path, {
    timeoutMs: UPLOAD_MS_MAX,
    ...options,
    rawBody: mail,
    headers: { ...options.headers, "content-type": "message/rfc822" },
  });
  return data;
}

/** A method for each kind of operation, named by `"GET /webhooks/{webhook}"`: it takes the ids of the path in their order. */
function methodsOf(transport: Transport) {
  const method =
    (key: string, input: "none" | "query" | "body", fixed: RawRequest = {}) =>
    async (...args: unknown[]) => {
      const { verb, path, rest } = fillPath(key, args);
      const given = input === "none" ? {} : { [input]: rest.shift() };
      return (await transport.request(verb, path, { ...(rest[0] as RequestOptions), ...given, ...fixed })).data;
    };
  return {
    call: <K extends Keys<"none">>(key: K) => method(key, "none") as Call<K>,
    query: <K extends Keys<"query">>(key: K) => method(key, "query") as Call<K>,
    text: <K extends Keys<"query">>(key: K) => method(key, "query", { asText: true }) as Call<K>,
    body: <K extends Keys<"body">>(key: K) => method(key, "body") as Call<K>,
    list: <K extends Keys<"list">>(key: K) =>
      ((...args: unknown[]): List<unknown> => {
        const { path, rest } = fillPath(key, args);
        const [input, options] = rest;
        return listOf(transport, path, input as RawRequest["query"], options as RequestOptions);
      }) as Call<K>,
  };
}

/** `rest` is what follows the ids. */
function fillPath(key: string, args: unknown[]): { verb: string; path: string; rest: unknown[] } {
  const [verb = "", template = ""] = key.split(" ");
  const rest = [...args];
  const path = template.replace(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())));
  return { verb, path, rest };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the table of the API's operations, one line each
function resourcesOf(transport: Transport) {
  const { call, query, text, body, list } = methodsOf(transport);
  return {
    me: call("GET /me"),
    search: query("GET /search"),
    apiKeys: {
      list: list("GET /api-keys"),
      create: body("POST /api-keys"),
      get: call("GET /api-keys/{key}"),
      update: body("PATCH /api-keys/{key}"),
      revoke: call("DELETE /api-keys/{key}"),
      rotate: body("POST /api-keys/{key}/rotate"),
      revokeOldSecret: call("POST /api-keys/{key}/revoke-old-secret"),
    },
    auditLogs: { list: list("GET /audit-logs") },
    consumers: {
      list: list("GET /consumers"),
      put: body("PUT /consumers/{consumer}"),
      get: call("GET /consumers/{consumer}"),
      delete: call("DELETE /consumers/{consumer}"),
      reset: body("POST /consumers/{consumer}/reset"),
      /** Its events, batch by batch, over as many connections as it takes. Scope: `events:read`. */
      read: (consumer: string, options?: ConsumerReadOptions): AsyncGenerator<ConsumerBatch> =>
        readConsumer(transport, consumer, options),
      acknowledge: body("POST /consumers/{consumer}/ack"),
    },
    contacts: {
      list: list("GET /contacts"),
      create: body("POST /contacts"),
      get: call("GET /contacts/{contact}"),
      update: body("PATCH /contacts/{contact}"),
      delete: call("DELETE /contacts/{contact}"),
      endSessions: call("DELETE /contacts/{contact}/sessions"),
    },
    conversations: {
      list: list("GET /conversations"),
      create: body("POST /conversations"),
      get: call("GET /conversations/{conversation}"),
      update: body("PATCH /conversations/{conversation}"),
      delete: call("DELETE /conversations/{conversation}"),
      transcript: text("GET /conversations/{conversation}/transcript"),
      counts: call("GET /conversations/counts"),
      bulk: body("POST /conversations/bulk"),
      markRead: body("POST /conversations/{conversation}/read"),
      markUnread: call("POST /conversations/{conversation}/unread"),
    },
    drafts: {
      list: list("GET /conversations/{conversation}/drafts"),
      create: body("POST /conversations/{conversation}/drafts"),
      get: call("GET /conversations/{conversation}/drafts/{draft}"),
      update: body("PATCH /conversations/{conversation}/drafts/{draft}"),
      delete: call("DELETE /conversations/{conversation}/drafts/{draft}"),
      send: call("POST /conversations/{conversation}/drafts/{draft}/send"),
    },
    files: {
      /** Uploads the bytes of a file, to be attached to a message or draft by its id. Scope: `messages:write`. */
      upload: (name: string, content: FileContent, options?: UploadOptions) =>
        uploadFile(transport, name, content, options),
      get: call("GET /files/{file}"),
      delete: call("DELETE /files/{file}"),
    },
    labels: { list: list("GET /labels") },
    members: { list: list("GET /members") },
    messages: {
      list: list("GET /conversations/{conversation}/messages"),
      create: body("POST /conversations/{conversation}/messages"),
      get: call("GET /conversations/{conversation}/messages/{message}"),
      update: body("PATCH /conversations/{conversation}/messages/{message}"),
      delete: call("DELETE /conversations/{conversation}/messages/{message}"),
      email: call("GET /conversations/{conversation}/messages/{message}/email"),
      /** Sends a mail again to those who did not get it. Scope: `messages:write`. */
      resend: call("POST /conversations/{conversation}/messages/{message}/resend"),
    },
    savedReplies: {
      list: list("GET /saved-replies"),
      create: body("POST /saved-replies"),
      get: call("GET /saved-replies/{saved_reply}"),
      update: body("PATCH /saved-replies/{saved_reply}"),
      delete: call("DELETE /saved-replies/{saved_reply}"),
    },
    views: {
      list: list("GET /views"),
      create: body("POST /views"),
      get: call("GET /views/{view}"),
      update: body("PATCH /views/{view}"),
      delete: call("DELETE /views/{view}"),
    },
    events: {
      list: list("GET /events"),
      get: call("GET /events/{event}"),
      types: call("GET /event-types"),
      /** Every event from now on, or after a cursor. It reconnects by itself and continues where it was. */
      stream: (options: StreamOptions = {}): AsyncGenerator<StreamedEvent> => streamEvents(transport, options),
    },
    mailboxes: {
      list: list("GET /mailboxes"),
      create: body("POST /mailboxes"),
      get: call("GET /mailboxes/{mailbox}"),
      update: body("PATCH /mailboxes/{mailbox}"),
      delete: call("DELETE /mailboxes/{mailbox}"),
      pause: call("POST /mailboxes/{mailbox}/pause"),
      resume: call("POST /mailboxes/{mailbox}/resume"),
      check: call("POST /mailboxes/{mailbox}/check"),
      /** Hands the bytes of a mail over. Null: it was stored and deleted since. Scope: `mailboxes:ingest`. */
      ingest: (mailbox: number | string, mail: FileContent, options?: RequestOptions) =>
        ingestMail(transport, mailbox, mail, options),
    },
    webhooks: {
      list: list("GET /webhooks"),
      create: body("POST /webhooks"),
      preview: body("POST /webhooks/preview"),
      get: call("GET /webhooks/{webhook}"),
      update: body("PATCH /webhooks/{webhook}"),
      delete: call("DELETE /webhooks/{webhook}"),
      enable: call("POST /webhooks/{webhook}/enable"),
      disable: body("POST /webhooks/{webhook}/disable"),
      secret: call("GET /webhooks/{webhook}/secret"),
      rotateSecret: body("POST /webhooks/{webhook}/rotate-secret"),
      test: query("POST /webhooks/{webhook}/test"),
      logs: list("GET /webhooks/{webhook}/logs"),
      log: call("GET /webhooks/{webhook}/logs/{log}"),
      redeliver: call("POST /webhooks/{webhook}/logs/{log}/redeliver"),
      recover: body("POST /webhooks/{webhook}/recover"),
    },
    widgets: {
      list: list("GET /widgets"),
      create: body("POST /widgets"),
      get: call("GET /widgets/{widget}"),
      update: body("PATCH /widgets/{widget}"),
      delete: call("DELETE /widgets/{widget}"),
      secret: call("GET /widgets/{widget}/secret"),
      rotateSecret: body("POST /widgets/{widget}/rotate-secret"),
    },
  };
}
