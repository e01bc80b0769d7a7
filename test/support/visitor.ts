import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Reply, TestParley } from "./parley.ts";
import { until } from "./wait.ts";

export interface TestWidget {
  id: number;
  public_id: string;
  secret: string;
}

export const newToken = (): string => `pvs_${randomBytes(32).toString("base64url")}`;

export async function createWidget(
  parley: Pick<TestParley, "call">,
  body: object = {},
  key?: string,
): Promise<TestWidget> {
  const reply = await parley.call("POST", "/widgets", {
    body: { name: "Shop", allowed_origins: ["https://shop.example"], ...body },
    ...(key === undefined ? {} : { key }),
  });
  if (reply.status !== 201) throw new Error(`creating a widget responded with ${reply.status}: ${reply.text}`);
  return reply.body.data;
}

interface VisitorCall {
  body?: object;
  rawBody?: string;
  headers?: Record<string, string>;
}

/** A visitor's frame, as a client of the visitor routes. */
export function openVisitor(
  parley: Pick<TestParley, "url">,
  widget: Pick<TestWidget, "public_id">,
  token = newToken(),
) {
  const base = `${parley.url}/widget-api/${widget.public_id}/`;
  async function call(method: string, path: string, { body, rawBody, headers = {} }: VisitorCall = {}): Promise<Reply> {
    const response = await fetch(base + path, {
      method,
      headers: {
        "parley-session": token,
        ...(method === "GET" ? {} : { origin: parley.url }),
        ...(body ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : rawBody === undefined ? {} : { body: rawBody }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
  }
  return {
    token,
    call,
    send: (text: string, more: object = {}) =>
      call("POST", "messages", { body: { id: randomUUID(), body: text, ...more } }),
    identify: (identity: string) => call("POST", "session", { body: { identity } }),
    stream: (headers: Record<string, string> = {}) =>
      openVisitorStream(`${base}stream`, { "parley-session": token, ...headers }),
  };
}

export type TestVisitor = ReturnType<typeof openVisitor>;

interface Frame {
  id: string | null;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the event holds
  data: any;
}

async function openVisitorStream(url: string, headers: Record<string, string>) {
  const call = httpRequest(url, { agent: false, headers });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once("response", resolve).once("error", reject).end();
  });
  call.on("error", () => {});
  response.on("error", () => {});
  const events: Frame[] = [];
  const state = { ended: false };
  let rest = "";
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? null;
      const data = field("data");
      if (data !== null) events.push({ id: field("id"), event: field("event") ?? "", data: JSON.parse(data) });
    }
  });
  response.on("close", () => {
    state.ended = true;
  });
  return {
    status: response.statusCode ?? 0,
    events,
    state,
    of: (event: string) => events.filter((one) => one.event === event),
    received: (event: string, count = 1) =>
      until(`a frame ${event}`, () => {
        const found = events.filter((one) => one.event === event);
        return found.length >= count ? found : null;
      }),
    close: () => call.destroy(),
  };
}

const DIGESTS: Record<string, string> = { HS384: "sha384", HS512: "sha512" };

/** Any JWT, right or wrong, signed by the algorithm that it names. */
export function signToken(
  secret: string,
  claims: object,
  header: { alg?: string; typ?: string } = { alg: "HS256", typ: "JWT" },
): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part(header)}.${part(claims)}`;
  const key = Buffer.from(secret.replace(/^wis_/, ""), "base64");
  return `${text}.${createHmac(DIGESTS[header.alg ?? ""] ?? "sha256", key)
    .update(text)
    .digest("base64url")}`;
}

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;
