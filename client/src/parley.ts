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
    /** Get the API key in use and its scopes. */
    me: call("GET /me"),
    /** Search messages, conversations and contacts. */
    search: query("GET /search"),
    apiKeys: {
      /** List API keys. Scope: `api-keys:manage`. */
      list: list("GET /api-keys"),
      /** Create an API key. Scope: `api-keys:manage`. */
      create: body("POST /api-keys"),
      /** Get an API key. Scope: `api-keys:manage`. */
      get: call("GET /api-keys/{key}"),
      /** Update, pause or resume an API key. Scope: `api-keys:manage`. */
      update: body("PATCH /api-keys/{key}"),
      /** Revoke an API key permanently. Scope: `api-keys:manage`. */
      revoke: call("DELETE /api-keys/{key}"),
      /** Rotate the secret of an API key. Scope: `api-keys:manage`. */
      rotate: body("POST /api-keys/{key}/rotate"),
      /** End the overlap of a rotation now. Scope: `api-keys:manage`. */
      revokeOldSecret: call("POST /api-keys/{key}/revoke-old-secret"),
    },
    auditLogs: {
      /** List the audit log: who did what to which key, webhook or member. Scope: `audit:read`. */
      list: list("GET /audit-logs"),
    },
    consumers: {
      /** List consumers. Scope: `consumers:manage`. */
      list: list("GET /consumers"),
      /** Create a consumer, or change what it shows. Scope: `consumers:manage`. */
      put: body("PUT /consumers/{consumer}"),
      /** Get a consumer. Scope: `consumers:manage`. */
      get: call("GET /consumers/{consumer}"),
      /** Delete a consumer. Scope: `consumers:manage`. */
      delete: call("DELETE /consumers/{consumer}"),
      /** Move a consumer anywhere. Scope: `consumers:manage`. */
      reset: body("POST /consumers/{consumer}/reset"),
      /** Its events, batch by batch, over as many connections as it takes. Scope: `events:read`. */
      read: (consumer: string, options?: ConsumerReadOptions): AsyncGenerator<ConsumerBatch> =>
        readConsumer(transport, consumer, options),
      /** Acknowledge events. Scope: `events:read`. */
      acknowledge: body("POST /consumers/{consumer}/ack"),
    },
    contacts: {
      /** List contacts. Scope: `contacts:read`. */
      list: list("GET /contacts"),
      /** Create a contact. Scope: `contacts:write`. */
      create: body("POST /contacts"),
      /** Get a contact. Scope: `contacts:read`. */
      get: call("GET /contacts/{contact}"),
      /** Change a contact. Scope: `contacts:write`. */
      update: body("PATCH /contacts/{contact}"),
      /** Delete a contact. Scope: `contacts:write`. */
      delete: call("DELETE /contacts/{contact}"),
      /** End the sessions of a contact. Scope: `contacts:write`. */
      endSessions: call("DELETE /contacts/{contact}/sessions"),
    },
    conversations: {
      /** List conversations. Scope: `conversations:read`. */
      list: list("GET /conversations"),
      /** Open a conversation. Scope: `conversations:write`. */
      create: body("POST /conversations"),
      /** Get a conversation. Scope: `conversations:read`. */
      get: call("GET /conversations/{conversation}"),
      /** Change, assign, snooze or resolve a conversation. Scope: `conversations:write`. */
      update: body("PATCH /conversations/{conversation}"),
      /** Delete a conversation with its messages. Scope: `conversations:write`. */
      delete: call("DELETE /conversations/{conversation}"),
      /** Get a conversation as plain text. Scope: `messages:read`. */
      transcript: text("GET /conversations/{conversation}/transcript"),
      /** Count conversations. Scope: `conversations:read`. */
      counts: call("GET /conversations/counts"),
      /** Change several conversations. Scope: `conversations:write`. */
      bulk: body("POST /conversations/bulk"),
      /** Mark a conversation as read. Only for people who are signed in; a key receives a 403. */
      markRead: body("POST /conversations/{conversation}/read"),
      /** Mark a conversation as unread. Only for people who are signed in; a key receives a 403. */
      markUnread: call("POST /conversations/{conversation}/unread"),
    },
    drafts: {
      /** List the drafts of a conversation. Scope: `drafts:read`. */
      list: list("GET /conversations/{conversation}/drafts"),
      /** Save a draft or suggest a reply. Scope: `drafts:write`. */
      create: body("POST /conversations/{conversation}/drafts"),
      /** Get a draft. Scope: `drafts:read`. */
      get: call("GET /conversations/{conversation}/drafts/{draft}"),
      /** Change a draft. Scope: `drafts:write`. */
      update: body("PATCH /conversations/{conversation}/drafts/{draft}"),
      /** Discard a draft. Scope: `drafts:write`. */
      delete: call("DELETE /conversations/{conversation}/drafts/{draft}"),
      /** Send a draft. Scope: `messages:write`. */
      send: call("POST /conversations/{conversation}/drafts/{draft}/send"),
    },
    files: {
      /** Uploads the bytes of a file, to be attached to a message or draft by its id. Scope: `messages:write`. */
      upload: (name: string, content: FileContent, options?: UploadOptions) =>
        uploadFile(transport, name, content, options),
      /** Get a file's record, with a fresh link to its bytes. Scope: `messages:read`. */
      get: call("GET /files/{file}"),
      /** Delete a file that nothing holds. Scope: `messages:write`. */
      delete: call("DELETE /files/{file}"),
    },
    labels: {
      /** List labels in use. Scope: `conversations:read`. */
      list: list("GET /labels"),
    },
    members: {
      /** List members of the workspace. Scope: `conversations:read`. */
      list: list("GET /members"),
    },
    messages: {
      /** List the messages of a conversation. Scope: `messages:read`. */
      list: list("GET /conversations/{conversation}/messages"),
      /** Write a message. Scope: `messages:write`. */
      create: body("POST /conversations/{conversation}/messages"),
      /** Get a message. Scope: `messages:read`. */
      get: call("GET /conversations/{conversation}/messages/{message}"),
      /** Change a message. Scope: `messages:write`. */
      update: body("PATCH /conversations/{conversation}/messages/{message}"),
      /** Delete a message permanently. Scope: `messages:write`. */
      delete: call("DELETE /conversations/{conversation}/messages/{message}"),
      /** Get the whole mail behind a message. Scope: `messages:read`. */
      email: query("GET /conversations/{conversation}/messages/{message}/email"),
      /** Send a mail again. Scope: `messages:write`. */
      resend: call("POST /conversations/{conversation}/messages/{message}/resend"),
    },
    savedReplies: {
      /** List saved replies. Scope: `messages:read`. */
      list: list("GET /saved-replies"),
      /** Create a saved reply. Scope: `messages:write`. */
      create: body("POST /saved-replies"),
      /** Get a saved reply. Scope: `messages:read`. */
      get: call("GET /saved-replies/{saved_reply}"),
      /** Change a saved reply. Scope: `messages:write`. */
      update: body("PATCH /saved-replies/{saved_reply}"),
      /** Delete a saved reply. Scope: `messages:write`. */
      delete: call("DELETE /saved-replies/{saved_reply}"),
    },
    views: {
      /** List views. Scope: `conversations:read`. */
      list: list("GET /views"),
      /** Save a view. Scope: `conversations:write`. */
      create: body("POST /views"),
      /** Get a view. Scope: `conversations:read`. */
      get: call("GET /views/{view}"),
      /** Change a view. Scope: `conversations:write`. */
      update: body("PATCH /views/{view}"),
      /** Delete a view. Scope: `conversations:write`. */
      delete: call("DELETE /views/{view}"),
    },
    events: {
      /** Read events by cursor. Scope: `events:read`. */
      list: list("GET /events"),
      /** Get an event with its deliveries. Scope: `events:read`. */
      get: call("GET /events/{event}"),
      /** List the event types. */
      types: call("GET /event-types"),
      /** Every event from now on, or after a cursor. It reconnects by itself and continues where it was. */
      stream: (options: StreamOptions = {}): AsyncGenerator<StreamedEvent> => streamEvents(transport, options),
    },
    mailboxes: {
      /** List mailboxes. Scope: `mailboxes:manage`. */
      list: list("GET /mailboxes"),
      /** Connect a mailbox. Scope: `mailboxes:manage`. */
      create: body("POST /mailboxes"),
      /** Get a mailbox. Scope: `mailboxes:manage`. */
      get: call("GET /mailboxes/{mailbox}"),
      /** Update a mailbox. Scope: `mailboxes:manage`. */
      update: body("PATCH /mailboxes/{mailbox}"),
      /** Delete a mailbox. Scope: `mailboxes:manage`. */
      delete: call("DELETE /mailboxes/{mailbox}"),
      /** Pause a mailbox. Scope: `mailboxes:manage`. */
      pause: call("POST /mailboxes/{mailbox}/pause"),
      /** Resume a mailbox. Scope: `mailboxes:manage`. */
      resume: call("POST /mailboxes/{mailbox}/resume"),
      /** Check a mailbox. Scope: `mailboxes:manage`. */
      check: call("POST /mailboxes/{mailbox}/check"),
      /** Hands the bytes of a mail over. Null: it was stored and deleted since. Scope: `mailboxes:ingest`. */
      ingest: (mailbox: number | string, mail: FileContent, options?: RequestOptions) =>
        ingestMail(transport, mailbox, mail, options),
    },
    webhooks: {
      /** List webhooks. Scope: `webhooks:manage`. */
      list: list("GET /webhooks"),
      /** Create a webhook. Scope: `webhooks:manage`. */
      create: body("POST /webhooks"),
      /** Try a filter and a template on the stored events. Scope: `webhooks:manage`. */
      preview: body("POST /webhooks/preview"),
      /** Get a webhook. Scope: `webhooks:manage`. */
      get: call("GET /webhooks/{webhook}"),
      /** Update a webhook. Scope: `webhooks:manage`. */
      update: body("PATCH /webhooks/{webhook}"),
      /** Delete a webhook. Scope: `webhooks:manage`. */
      delete: call("DELETE /webhooks/{webhook}"),
      /** Enable a webhook. Scope: `webhooks:manage`. */
      enable: call("POST /webhooks/{webhook}/enable"),
      /** Disable a webhook. Scope: `webhooks:manage`. */
      disable: body("POST /webhooks/{webhook}/disable"),
      /** Read the signing secret. Scope: `webhooks:manage`. */
      secret: call("GET /webhooks/{webhook}/secret"),
      /** Rotate the signing secret of a webhook. Scope: `webhooks:manage`. */
      rotateSecret: body("POST /webhooks/{webhook}/rotate-secret"),
      /** Send a test payload. Scope: `webhooks:manage`. */
      test: query("POST /webhooks/{webhook}/test"),
      /** List the delivery logs of a webhook. Scope: `webhooks:manage`. */
      logs: list("GET /webhooks/{webhook}/logs"),
      /** Get one attempt in detail. Scope: `webhooks:manage`. */
      log: call("GET /webhooks/{webhook}/logs/{log}"),
      /** Send the event of an attempt again. Scope: `webhooks:manage`. */
      redeliver: call("POST /webhooks/{webhook}/logs/{log}/redeliver"),
      /** Send every missed event again. Scope: `webhooks:manage`. */
      recover: body("POST /webhooks/{webhook}/recover"),
    },
    widgets: {
      /** List widgets. Scope: `widgets:manage`. */
      list: list("GET /widgets"),
      /** Create a widget. Scope: `widgets:manage`. */
      create: body("POST /widgets"),
      /** Get a widget. Scope: `widgets:manage`. */
      get: call("GET /widgets/{widget}"),
      /** Change a widget. Scope: `widgets:manage`. */
      update: body("PATCH /widgets/{widget}"),
      /** Delete a widget. Scope: `widgets:manage`. */
      delete: call("DELETE /widgets/{widget}"),
      /** Read the identity secret. Scope: `widgets:manage`. */
      secret: call("GET /widgets/{widget}/secret"),
      /** Rotate the identity secret of a widget. Scope: `widgets:manage`. */
      rotateSecret: body("POST /widgets/{widget}/rotate-secret"),
    },
  };
}
