import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A server for the widget in memory, with faults that a real one has only by chance: responses that are lost, sessions that
 * end, limits. It serves the built loader and frame, and the visitor routes as docs/widgets.md describes them.
 */
export interface VisitorDouble {
  url: string;
  publicId: string;
  /** The settings that pages get; a change holds for pages that are opened later. */
  settings: Record<string, unknown>;
  /** `POST messages` and the like, in the order of their arrival. */
  requests: string[];
  /** Everything that was stored, in order. */
  stored(): Message[];
  /** An agent writes in every conversation. */
  reply(text: string): void;
  /** Called for each request to a visitor route; what it returns is sent instead. "lost": carried out, without a response. */
  intercept: (route: string) => { status: number; error: object } | "lost" | "refused" | null;
  /** Ends every stream, as a crash does. */
  cutStreams(): void;
  endSessions(): void;
  close(): Promise<void>;
}

interface Message {
  id: string;
  client_id?: string;
  conversation: string;
  seq: number;
  direction: "in" | "out";
  body: string;
  attachments: object[];
  [name: string]: unknown;
}

interface Conversation {
  id: string;
  messages: Message[];
  read: number;
  createdAt: string;
}

interface Session {
  conversations: Map<string, Conversation>;
  sent: Map<string, { conversation: Conversation; message: Message }>;
  events: { id: number; event: string; data: unknown }[];
  streams: Set<ServerResponse>;
}

const dist = fileURLToPath(new URL("../../widget/dist", import.meta.url));
const TYPES: Record<string, string> = { js: "text/javascript", css: "text/css", html: "text/html" };

export async function startVisitorDouble(pageOrigin: string): Promise<VisitorDouble> {
  const sessions = new Map<string, Session>();
  const ended = new Set<string>();
  const publicId = `wid_${"a".repeat(24)}`;
  let position = 0;

  const push = (session: Session, event: string, data: unknown) => {
    position += 1;
    session.events.push({ id: position, event, data });
    for (const stream of session.streams) stream.write(block({ id: position, event, data }));
  };
  const add = (session: Session, conversation: Conversation, input: Partial<Message>): Message => {
    const at = new Date().toISOString();
    const message = {
      ...{ id: randomUUID(), conversation: conversation.id, seq: conversation.messages.length + 1 },
      ...{ sender_name: "Ada", attachments: [], created_at: at, updated_at: at, direction: "in", body: "" },
      ...input,
    } as Message;
    conversation.messages.push(message);
    push(session, "message", message);
    push(session, "conversation", shown(conversation));
    return message;
  };
  const sessionOf = (token: string): Session => {
    const known = sessions.get(token);
    const session = known ?? { conversations: new Map(), sent: new Map(), events: [], streams: new Set() };
    sessions.set(token, session);
    return session;
  };

  function receiveMessage(
    token: string,
    input: { id: string; conversation: string | null; body: string; files?: string[] },
  ) {
    const session = sessionOf(token);
    const before = session.sent.get(input.id);
    if (before) return { conversation: shown(before.conversation), message: before.message };
    const id = input.conversation ?? randomUUID();
    const conversation = session.conversations.get(id) ?? {
      id,
      messages: [],
      read: 0,
      createdAt: new Date().toISOString(),
    };
    session.conversations.set(id, conversation);
    const attachments = (input.files ?? []).map((url) => ({
      name: "file.txt",
      content_type: "text/plain",
      size_bytes: 4,
      url: `/${url}`,
    }));
    const message = add(session, conversation, { client_id: input.id, body: input.body, attachments });
    session.sent.set(input.id, { conversation, message });
    return { conversation: shown(conversation), message };
  }

  function openStream(session: Session, request: IncomingMessage, response: ServerResponse): void {
    const last = Number(request.headers["last-event-id"] ?? position);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(block({ id: last, event: "hello", data: { position: last } }));
    for (const event of session.events.filter(({ id }) => id > last)) response.write(block(event));
    session.streams.add(response);
    request.on("close", () => session.streams.delete(response));
  }

  function respond(token: string, route: string, body: Buffer): { data?: unknown; status?: number; error?: object } {
    const session = sessions.get(token);
    const json = () => JSON.parse(body.toString() || "{}");
    if (ended.has(token)) return failure(401, "SESSION_ENDED");
    if (route === "POST messages") return { data: receiveMessage(token, json()) };
    if (route === "POST session") {
      sessionOf(token);
      return { data: { visitor: { name: null, email: null, identified: Boolean(json().identity) }, expires_at: null } };
    }
    if (!session) return failure(401, "SESSION_ENDED");
    if (route === "DELETE session") {
      ended.add(token);
      return { data: null };
    }
    if (route === "PATCH visitor") return { data: json() };
    if (route === "POST files") return { data: { id: randomUUID() } };
    if (route === "GET conversations") return { data: [...session.conversations.values()].map(shown) };
    const [, id = "", what] = /conversations\/([^/]+)\/(\w+)$/.exec(route) ?? [];
    const conversation = session.conversations.get(id);
    if (!conversation) return failure(404, "NOT_FOUND");
    if (what === "read") {
      conversation.read = json().seq;
      push(session, "conversation", shown(conversation));
      return { data: { contact_read_seq: conversation.read } };
    }
    return { data: what === "messages" ? [...conversation.messages].reverse() : {} };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "", "http://x").pathname;
    if (!path.startsWith("/widget-api/")) return sendFile(path, response);
    const route = `${request.method} ${path.split("/").slice(3).join("/")}`;
    const token = String(request.headers["parley-session"]);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    double.requests.push(route);
    const fault = double.intercept(route);
    if (fault === "refused") return void response.destroy();
    if (fault && fault !== "lost") return sendJson(response, fault.status, { error: fault.error });
    const session = sessions.get(token);
    if (route === "GET stream" && session && !ended.has(token)) return openStream(session, request, response);
    const { status = 200, data, error } = respond(token, route, Buffer.concat(chunks));
    if (fault === "lost") return void response.destroy();
    return sendJson(response, status, error ? { error } : { data, meta: { next_cursor: null } });
  }

  function sendFile(path: string, response: ServerResponse): void {
    if (path.endsWith("/settings.js")) {
      response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" });
      return void response.end(`window.__parleyWidget?.(${JSON.stringify(double.settings)})`);
    }
    const file =
      path === "/widget.js" ? "widget.js" : path.endsWith("/frame") ? "frame.html" : path.replace("/widget/", "");
    const type = `${TYPES[file.split(".").at(-1) ?? ""]}; charset=utf-8`;
    const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${pageOrigin} 'self'`;
    response.writeHead(200, {
      "content-type": type,
      ...(file === "frame.html" ? { "content-security-policy": policy } : {}),
    });
    response.end(readFileSync(join(dist, file)));
  }

  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const each = (act: (session: Session) => void) => [...sessions.values()].forEach(act);
  const cutStreams = () =>
    each(({ streams }) => {
      for (const stream of streams) stream.destroy();
    });
  const double: VisitorDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicId,
    settings: {
      ...{ public_id: publicId, is_active: true, color: "#0f766e", position: "right", texts: {} },
      ...{ ask_name: "no", ask_email: "no", require_identity: false, replies_by_mail: false },
    },
    requests: [],
    stored: () =>
      [...sessions.values()].flatMap(({ conversations }) =>
        [...conversations.values()].flatMap(({ messages }) => messages),
      ),
    reply: (text) =>
      each((session) => {
        for (const conversation of session.conversations.values())
          add(session, conversation, { direction: "out", body: text });
      }),
    intercept: () => null,
    cutStreams,
    endSessions() {
      for (const token of sessions.keys()) ended.add(token);
      each((session) => push(session, "session_ended", {}));
    },
    close: () => {
      cutStreams();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return double;
}

const failure = (status: number, code: string) => ({ status, error: { code, message: code } });

const block = ({ id, event, data }: { id: number; event: string; data: unknown }): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

const shown = ({ id, messages, read, createdAt }: Conversation) => ({
  id,
  last_message: messages.at(-1) ?? null,
  unread_count: messages.filter(({ direction, seq }) => direction === "out" && seq > read).length,
  contact_read_seq: read,
  agent_read_seq: 0,
  created_at: createdAt,
  last_activity_at: messages.at(-1)?.created_at ?? createdAt,
});
