import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../core/errors.ts";
import { PACKAGE_ROOT } from "../../core/package-files.ts";
import type { Database } from "../../db/database.ts";
import { createPublicWidgets, type PublicWidget } from "../../widgets/public-widget.ts";
import { NO_ENDPOINT } from "../pipeline/errors.ts";
import { openStoredFiles } from "./stored-files.ts";

/** The same from `src` and from `dist`. */
const BUILT = join(PACKAGE_ROOT, "widget", "dist");

/** Pages of other origins load these as scripts. */
const FOR_EVERY_PAGE = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };
const ONE_MINUTE = "public, max-age=60";
const FIVE_MINUTES = "public, max-age=300";

type WidgetRequest = FastifyRequest<{ Params: { public_id: string } }>;

/**
 * The widget's loader, frame and settings. All are the same for every visitor: no cookie is read or set, and nothing is
 * stored. Without a build there are settings and no files.
 */
export function registerWidgetFiles(fastify: FastifyInstance, { db }: { db: Database }, directory = BUILT): void {
  const files = openStoredFiles(directory, { index: "frame.html" });
  const frameVersion = files.has("manifest.json") ? readFrameVersion(directory) : null;
  const widgets = createPublicWidgets(db);

  async function settingsOf(publicId: string): Promise<string> {
    const widget = await widgets.find(publicId);
    return widget ? settingsJson(widget, frameVersion) : JSON.stringify({ public_id: publicId, is_active: false });
  }

  function sendFile(path: string, request: FastifyRequest, reply: FastifyReply, headers: Record<string, string>) {
    if (!files.has(path)) throw new Fault("NOT_FOUND", NO_ENDPOINT);
    return files.send(path, request, reply, headers);
  }

  fastify.get("/widget.js", async (request, reply) =>
    sendFile("widget.js", request, reply, { ...FOR_EVERY_PAGE, "cache-control": FIVE_MINUTES }),
  );
  fastify.get("/widget/assets/*", async (request, reply) =>
    sendFile(`assets/${(request.params as { "*": string })["*"]}`, request, reply, {}),
  );
  fastify.get("/widget/:public_id/settings.js", async (request: WidgetRequest, reply) => {
    // In a script these would end a line or a script element.
    const json = (await settingsOf(request.params.public_id)).replace(/[<\u2028\u2029]/g, escaped);
    reply.headers(FOR_EVERY_PAGE).type("text/javascript; charset=utf-8");
    return sendCached(request, reply, `window.__parleyWidget?.(${json})\n`);
  });
  fastify.get("/widget/:public_id/settings.json", async (request: WidgetRequest, reply) => {
    reply.type("application/json; charset=utf-8");
    return sendCached(request, reply, await settingsOf(request.params.public_id));
  });
  fastify.get("/widget/:public_id/frame", async (request: WidgetRequest, reply) => {
    const widget = await widgets.find(request.params.public_id);
    if (!widget) throw new Fault("NOT_FOUND", "The widget does not exist.");
    const headers = { "cache-control": ONE_MINUTE, "content-security-policy": framePolicy(widget) };
    // The older header knows no list of origins and would refuse all of them.
    reply.removeHeader("x-frame-options");
    return sendFile("frame.html", request, reply, headers);
  });
}

function settingsJson(widget: PublicWidget, frameVersion: string | null): string {
  const { public_id, color, position, texts, ask_name, ask_email, require_identity, mailbox_id } = widget;
  const look = { color, position, texts };
  const questions = { ask_name, ask_email, require_identity, replies_by_mail: mailbox_id !== null };
  return JSON.stringify({ public_id, is_active: true, ...look, ...questions, frame_version: frameVersion });
}

/** Only the pages of the widget, and Parley's own preview, may frame it. Everything in it comes from this server. */
const framePolicy = ({ allowed_origins }: PublicWidget): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${allowed_origins.join(" ")} 'self'`,
  ].join("; ");

function sendCached(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  reply.headers({ "cache-control": ONE_MINUTE, etag });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
  return reply.send(text);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** What the address of the frame carries, so that browsers fetch the frame of a new version. */
function readFrameVersion(directory: string): string {
  return (JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")) as { frame_version: string })
    .frame_version;
}
