import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { findDemoWorkspace } from "../../auth/workspaces.ts";
import { Fault } from "../../core/errors.ts";
import { PACKAGE_ROOT } from "../../core/package-files.ts";
import type { Database } from "../../db/database.ts";
import { firstActiveWidget } from "../../widgets/installation.ts";
import { openStoredFiles } from "./stored-files.ts";

/** The same from `src` and from `dist`. */
const BUILT = join(PACKAGE_ROOT, "widget", "dist", "shop");

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page with the demo's widget, as long as there is a demo: the shop whose inbox it is. */
export function registerDemoShop(fastify: FastifyInstance, { db }: { db: Database }, directory = BUILT): void {
  const files = openStoredFiles(directory, { index: "shop.html" });
  if (!files.has("shop.html")) return;
  const page = readFileSync(join(directory, "shop.html"), "utf8");
  fastify.get("/demo/shop.css", async (request, reply) => files.send("shop.css", request, reply, {}));
  fastify.get("/demo/shop", async (_request, reply) => {
    const workspace = await findDemoWorkspace(db);
    const publicId = workspace && (await firstActiveWidget(db, workspace.id));
    if (!publicId) throw new Fault("NOT_FOUND", "There is no demo with an active widget. Create one: parley demo.");
    reply.type("text/html; charset=utf-8").header("content-security-policy", POLICY);
    return reply.header("cache-control", "no-store").send(page.replace("PUBLIC_ID", publicId));
  });
}
