import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, BrowserContextOptions, Frame, FrameLocator, Page } from "playwright-core";
import type { CallOptions, Reply } from "../support/parley.ts";
import { atMost } from "../support/proof.ts";
import { createWidget, inSeconds, signToken, type TestWidget } from "../support/visitor.ts";
import { until } from "../support/wait.ts";

/** Pages of another site: another origin than Parley's, and another host name. */
export interface Shop {
  origin: string;
  /** The address of a page with this content in its body. */
  page(body: string, options?: { headers?: Record<string, string>; html?: string; head?: string }): string;
  close(): Promise<void>;
}

export async function startShop(): Promise<Shop> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const server: Server = createServer((request, response) => {
    const found = pages.get((request.url ?? "").split("?")[0] ?? "");
    response.writeHead(found ? 200 : 404, { "content-type": "text/html; charset=utf-8", ...found?.headers });
    response.end(found?.html);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    page(body, { headers = {}, html = 'lang="en"', head = "" } = {}) {
      const path = `/page-${pages.size + 1}`;
      const content = `<!doctype html><html ${html}><head><title>Shop</title>${head}</head><body>${body}</body></html>`;
      pages.set(path, { html: content, headers });
      return origin + path;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** What these tests need of a server, in this process or in one of its own. */
export interface Api {
  url: string;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

/** A widget for the pages of a shop, which asks nothing. */
export const shopWidget = (parley: Api, { origin }: Shop, input: object = {}): Promise<TestWidget> =>
  createWidget(parley, { allowed_origins: [origin], ask_email: "no", ...input });

export const snippet = ({ url }: Api, { public_id }: TestWidget, attributes = ""): string =>
  `<script async src="${url}/widget.js" data-widget="${public_id}" ${attributes}></script>`;

/** A valid identity token. */
export const identityToken = ({ secret }: TestWidget, claims: object): string =>
  signToken(secret, { exp: inSeconds(1_800), ...claims });

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Of the console, and what a content security policy stopped. */
  errors: string[];
  requests: string[];
  close(): Promise<void>;
}

export async function visit(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-US", ...options });
  context.setDefaultTimeout(atMost(20_000));
  const page = await context.newPage();
  const seen: Visit = { page, context, errors: [], requests: [], close: () => context.close() };
  context.on("request", (request) => seen.requests.push(`${request.method()} ${request.url()}`));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      seen.errors.push(message.text());
  });
  await page.goto(address);
  return seen;
}

export const launcher = (page: Page) => page.locator("parley-widget button");

/** Presses the launcher and returns the chat. */
export async function openChat(page: Page): Promise<FrameLocator> {
  await launcher(page).click();
  const chat = page.frameLocator("iframe");
  await chat.locator("textarea").waitFor();
  return chat;
}

export async function write(chat: FrameLocator, text: string): Promise<void> {
  const box = chat.locator("textarea");
  await box.fill(text);
  await box.press("Enter");
}

/** The texts of the log, in their order, without the greeting. */
export const logOf = (chat: FrameLocator): Promise<string[]> =>
  chat
    .locator(".message:not(.pending) > .bubble")
    .evaluateAll((bubbles) => bubbles.slice(1).map((one) => one.textContent ?? ""));

/** Confirmed by the server. */
export const sent = (chat: FrameLocator, text: string): Promise<void> =>
  chat.locator(".message.in:not(.pending)").filter({ hasText: text }).first().waitFor();

export const received = (chat: FrameLocator, text: string): Promise<void> =>
  chat.locator(".message.out").filter({ hasText: text }).first().waitFor();

export function chatFrame(page: Page): Frame {
  const frame = page.frames().find((one) => one.url().includes("/widget/"));
  if (!frame) throw new Error("The page has no chat.");
  return frame;
}

interface Conversation {
  id: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the record holds
  [name: string]: any;
}

/** The conversation with this message, as the API shows it. */
export const conversationWith = (parley: Api, text: string): Promise<Conversation> =>
  until(`a conversation with "${text}"`, async () => {
    const { body } = await parley.call("GET", "/conversations?limit=100");
    for (const conversation of body.data as Conversation[])
      if ((await bodiesOf(parley, conversation.id)).includes(text)) return conversation;
    return null;
  });

/** What is stored, newest last. */
export async function bodiesOf(parley: Api, conversation: number): Promise<string[]> {
  const { body } = await parley.call("GET", `/conversations/${conversation}/messages?limit=100`);
  const messages = body.data as { body: string; seq: number }[];
  return messages.sort((one, other) => one.seq - other.seq).map((message) => message.body);
}

/** An agent writes in the conversation with this message. */
export async function reply(parley: Api, { to, text }: { to: string; text: string }): Promise<void> {
  const { id } = await conversationWith(parley, to);
  const response = await parley.call("POST", `/conversations/${id}/messages`, {
    body: { body: text, direction: "out" },
  });
  if (response.status !== 201) throw new Error(`replying responded with ${response.status}: ${response.text}`);
}
