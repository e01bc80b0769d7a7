import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { afterAll, expect, it } from "vitest";
import { registerDashboardFiles } from "../../../src/http/server/dashboard-files.ts";
import { registerDocsFiles } from "../../../src/http/server/docs-files.ts";

const directory = mkdtempSync(join(tmpdir(), "parley-pages-"));
const fastify = Fastify();
afterAll(async () => {
  await fastify.close();
  rmSync(directory, { recursive: true, force: true });
});

/** As a build does: into a directory of its own, which then takes the place of the last one. */
function build(number: number): void {
  const fresh = join(directory, `fresh-${number}`);
  mkdirSync(join(fresh, "assets"), { recursive: true });
  writeFileSync(join(fresh, "index.html"), `page ${number}`);
  // The clock of a file system may stand still for several milliseconds.
  utimesSync(join(fresh, "index.html"), 1_800_000_000, 1_800_000_000);
  for (const part of ["used", "later"])
    writeFileSync(join(fresh, "assets", `${part}-${number}.js`), `${part} ${number}`);
  writeFileSync(join(fresh, "assets", "style.css"), `style ${number}`);
  rmSync(join(directory, "dist"), { recursive: true, force: true });
  renameSync(fresh, join(directory, "dist"));
}

it("pages follow a build beneath the running server, and pages of the last one keep their code", async () => {
  build(1);
  const sendPage = registerDashboardFiles(fastify, join(directory, "dist"));
  fastify.setNotFoundHandler((request, reply) => {
    if (!sendPage(request, reply)) reply.code(404).send("nothing");
    return reply;
  });
  fastify.setErrorHandler((error: { code?: string }, _request, reply) =>
    reply.code(error.code === "NOT_FOUND" ? 404 : 500).send(""),
  );
  const got = async (url: string) => {
    const { statusCode, body } = await fastify.inject({ url, headers: { accept: "text/html,*/*" } });
    return `${statusCode} ${body}`.trim();
  };
  expect(await got("/")).toBe("200 page 1");
  expect(await got("/assets/used-1.js")).toBe("200 used 1");
  build(2);
  expect(await got("/assets/later-1.js")).toBe("404");
  expect(await got("/")).toBe("200 page 2");
  expect(await got("/assets/later-2.js")).toBe("200 later 2");
  expect(await got("/assets/used-1.js")).toBe("200 used 1");
  rmSync(join(directory, "dist"), { recursive: true });
  expect(await got("/")).toBe("200 page 2");
});

it("files of the documentation, which keep their names, follow a build too", async () => {
  build(1);
  const docs = Fastify();
  registerDocsFiles(docs, join(directory, "dist"));
  const got = async (url: string) => (await docs.inject({ url })).body;
  expect([await got("/docs"), await got("/docs/assets/style.css")]).toEqual(["page 1", "style 1"]);
  build(2);
  expect([await got("/docs"), await got("/docs/assets/style.css")]).toEqual(["page 2", "style 2"]);
  await docs.close();
});
