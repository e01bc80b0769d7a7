import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, isTypeScript, readTree, type SourceFile } from "./source-text.ts";

/** "Who may import whom" of docs/ARCHITECTURE.md. A folder may always import from itself. */
const LAYERS: Record<string, { readonly may: readonly string[]; readonly because: string }> = {
  cli: {
    may: [
      "app",
      "backup",
      "cells",
      "demo",
      "store",
      "listen",
      "trigger",
      "replay",
      "mcp",
      "accounts",
      "auth",
      "config",
      "conversations",
      "core",
      "db",
      "events",
      "files",
      "installation-key",
      "mail",
      "resources",
      "url-guard",
    ],
    because: "the CLI parses, calls and prints; the parts are put together in app",
  },
  listen: { may: ["core"], because: "listen uses a server through @parley/client and none of its parts" },
  demo: {
    may: [
      "accounts",
      "auth",
      "conversations",
      "delivery",
      "email",
      "events",
      "files",
      "queue",
      "resources",
      "webhooks",
      "widgets",
      "db",
      "core",
    ],
    because: "the demo calls the domain functions as the routes do",
  },
  trigger: { may: ["core"], because: "trigger uses a server through @parley/client and none of its parts" },
  replay: { may: ["core"], because: "replay uses a server through @parley/client and none of its parts" },
  app: {
    may: [
      "store",
      "http",
      "mcp",
      "backup",
      "delivery",
      "conversations",
      "visitors",
      "consumers",
      "email",
      "files",
      "queue",
      "alerts",
      "notify",
      "mail",
      "accounts",
      "auth",
      "rate-limit",
      "events",
      "db",
      "stats",
      "url-guard",
      "tracing",
      "config",
      "core",
    ],
    because: "app is the composition root; only the CLI imports it",
  },
  mcp: {
    may: [],
    because: "the tools call the API through @parley/client, with the caller's key and no rights of their own",
  },
  store: {
    may: ["installation-key", "queue", "auth", "rate-limit", "events", "db", "config", "core"],
    because: "store is what every command needs; whatever serves or delivers is put together in app",
  },
  http: {
    may: [
      "delivery",
      "conversations",
      "email",
      "files",
      "webhooks",
      "visitors",
      "widgets",
      "views",
      "consumers",
      "alerts",
      "notify",
      "accounts",
      "auth",
      "rate-limit",
      "audit",
      "events",
      "stats",
      "resources",
      "db",
      "core",
    ],
    because: "http exposes the domain folders; it reads no config (app passes values in) and sends nothing itself",
  },
  delivery: {
    may: ["webhooks", "queue", "stats", "url-guard", "events", "resources", "db", "core"],
    because: "the engine does not depend on HTTP routes; app passes its settings in",
  },
  consumers: {
    may: ["audit", "events", "resources", "db", "core"],
    because: "consumers keeps positions in the order of events, and reads events only",
  },
  webhooks: {
    may: ["queue", "audit", "events", "resources", "db", "core"],
    because: "webhooks stores settings and signs; only delivery sends, and it imports webhooks",
  },
  visitors: {
    may: ["widgets", "conversations", "files", "events", "resources", "db", "core"],
    because: "a visitor writes as a contact does, by the functions of conversations",
  },
  widgets: {
    may: ["audit", "resources", "db", "core"],
    because: "widgets stores settings and the secrets that sign identities; it does not know the visitors",
  },
  views: {
    may: ["audit", "resources", "db", "core"],
    because: "views stores filters by name; what they mean is decided where conversations are listed",
  },
  queue: {
    may: ["stats", "events", "db", "core"],
    because: "the queue is written in one place, with the counts of its log; it neither sends nor reads settings",
  },
  conversations: {
    may: ["files", "events", "resources", "db", "core"],
    because: "conversations does not know about webhooks: it appends events, and app gives the outbox its fan-out",
  },
  email: {
    may: ["conversations", "files", "audit", "events", "resources", "rich-text", "url-guard", "db", "core"],
    because:
      "mail becomes messages by the functions of conversations; its servers are reached by the guarded connector",
  },
  files: {
    may: ["resources", "db", "core"],
    because: "files stores bytes and which message or draft holds them, by id only",
  },
  alerts: {
    may: ["mail", "accounts", "audit", "url-guard", "db", "core"],
    because: "what people are notified of is read from the tables and sent by mail or by the guarded connector",
  },
  notify: {
    may: ["alerts", "audit", "resources", "url-guard", "db", "core"],
    because: "who is called to a conversation is read from tables, and queued where alerts are",
  },
  accounts: {
    may: ["audit", "auth", "db", "core"],
    because: "people, sessions and roles build on the scopes and workspaces of auth",
  },
  auth: {
    may: ["audit", "events", "resources", "db", "core"],
    because: "keys and scopes are used by the other domain folders and use none of them",
  },
  "installation-key": {
    may: ["accounts", "alerts", "audit", "email", "notify", "webhooks", "widgets", "db", "core"],
    because: "changing the secret key means sealing everything again that was sealed with it",
  },
  backup: {
    may: ["queue", "db", "core"],
    because: "a backup copies tables; a restore counts the log of the queue again, and depends on no other domain",
  },
  cells: {
    may: ["queue", "events", "db", "core"],
    because:
      "a move copies tables; it pauses the queue and waits for the positions of events, and depends on no other domain",
  },
  "rate-limit": {
    may: ["core"],
    because: "the limiter gets its tiers and its store from its caller and depends on no domain",
  },
  mail: {
    may: ["core"],
    because: "the mailer sends a text through the operator's mail server and depends on no domain",
  },
  audit: { may: ["db", "core"], because: "the audit log is below everything that is recorded in it" },
  events: { may: ["resources", "db", "core"], because: "the outbox is below everything that appends to it" },
  stats: { may: ["db", "core"], because: "rollups are read by every part that shows numbers, and depend on no domain" },
  db: { may: ["core"], because: "the database layer depends on no domain, and its settings are passed in" },
  "url-guard": { may: ["core"], because: "the address policy is pure and the guard does not know what it guards" },
  tracing: { may: ["core"], because: "spans are sent from here; what is traced knows only the interface in core" },
  config: { may: ["core"], because: "config only reads settings" },
  resources: {
    may: ["core"],
    because: "the records are only described here: as the API shows them and events carry them",
  },
  "rich-text": { may: [], because: "the dashboard and the widget use it too, so it depends on nothing of the server" },
  core: { may: [], because: "core depends on nothing here" },
};

function importFaults(file: SourceFile): string[] {
  const from = layerOf(file.path);
  const rule = LAYERS[from];
  if (!rule)
    return [`${file.path} is in no folder of the import table: add "${from}" to it, here and in docs/ARCHITECTURE.md.`];
  return importsOf(file.text).flatMap(({ specifier, line }) => {
    if (!specifier.startsWith(".")) return [];
    const target = posix.normalize(posix.join(posix.dirname(file.path), specifier));
    const place = `${file.path}:${line} imports ${target}`;
    if (!target.startsWith("src/")) return [`${place}, which is outside src: the product imports nothing but itself.`];
    const to = layerOf(target);
    if (to === from) return [];
    if (!rule.may.includes(to)) return [`${place}, but ${from} may not import ${to}: ${rule.because}.`];
    if (from === "http" && to === "delivery" && target !== "src/delivery/index.ts") {
      return [`${place}, but http uses only the public interface of delivery, src/delivery/index.ts.`];
    }
    return [];
  });
}

/** `src/http/routes/v1/keys.ts` → http; `src/store.ts` → store. */
function layerOf(path: string): string {
  return (path.split("/")[1] ?? "").replace(/\.[jt]s$/, "");
}

/** The files of src that a file imports, types included. */
const importedFiles = ({ path, text }: SourceFile): string[] =>
  importsOf(text)
    .filter(({ specifier }) => specifier.startsWith("."))
    .map(({ specifier }) => posix.normalize(posix.join(posix.dirname(path), specifier)));

const importsOfFiles = (files: readonly SourceFile[]) => new Map(files.map((file) => [file.path, importedFiles(file)]));

/** The folders that a folder imports. `src/http` does not contain `src/http/routes` here: each is a folder of its own. */
function importsOfFolders(files: readonly SourceFile[]): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const file of files) {
    const folder = posix.dirname(file.path);
    const imported = importedFiles(file).map(posix.dirname);
    graph.set(folder, [...(graph.get(folder) ?? []), ...imported.filter((other) => other !== folder)]);
  }
  return graph;
}

/** Imports in a cycle: `a → b → a` has no order to read it in, and loads in whichever came first. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}

describe("the import table", () => {
  const sources = readTree("src", isTypeScript);

  it("holds for every file in src", () => {
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.flatMap(importFaults)).toEqual([]);
  });

  // Core is below everything and always permitted.
  it("permits nothing that no file uses", () => {
    const used = new Set(
      sources.flatMap((file) => importedFiles(file).map((to) => `${layerOf(file.path)} → ${layerOf(to)}`)),
    );
    const permitted = Object.entries(LAYERS).flatMap(([from, { may }]) => may.map((to) => `${from} → ${to}`));
    expect(permitted.filter((pair) => !used.has(pair) && !pair.endsWith(" core"))).toEqual([]);
  });

  it("has no cycle among files or folders, imports of types included", () => {
    expect(cycles(importsOfFiles(sources))).toEqual([]);
    expect(cycles(importsOfFolders(sources))).toEqual([]);
  });

  it("points downwards only", () => {
    const order = Object.keys(LAYERS);
    for (const [layer, { may }] of Object.entries(LAYERS)) {
      for (const below of may) expect(order, `${layer} → ${below}`).toContain(below);
      for (const below of may) expect(LAYERS[below]?.may, `${layer} ⇄ ${below}`).not.toContain(layer);
    }
  });
});

describe("the import checker", () => {
  const faults = (path: string, text: string): string[] => importFaults({ path, text });

  it.each([
    ["a static import", 'import { send } from "../../webhooks/index.ts";'],
    ["a type import", 'import type { Webhook } from "../../webhooks/index.ts";'],
    ["a re-export", 'export * from "../../webhooks/index.ts";'],
    ["a bare import", 'import "../../webhooks/index.ts";'],
    ["a dynamic import", 'const w = await import("../../webhooks/index.ts");'],
    ["an import over several lines", 'import {\n  a,\n  type B,\n} from "../../webhooks/index.ts";'],
  ])("refuses %s of webhooks in conversations, with the reason", (_form, text) => {
    expect(faults("src/conversations/sql/messages.ts", text)).toEqual([
      "src/conversations/sql/messages.ts:1 imports src/webhooks/index.ts, but conversations may not import webhooks: " +
        "conversations does not know about webhooks: it appends events, and app gives the outbox its fan-out.",
    ]);
  });

  it("reads the file's own folder, packages, comments and strings correctly", () => {
    const text = [
      'import { a } from "./own.ts";',
      'import pg from "pg";',
      '// import { b } from "../webhooks/index.ts";',
      "/* import '../webhooks/index.ts' */",
      "const text = 'import \"../webhooks/index.ts\"';",
      'import { append } from "../events/index.ts";',
    ].join("\n");
    expect(faults("src/conversations/messages.ts", text)).toEqual([]);
  });

  it("lets http see only the public interface of delivery", () => {
    expect(faults("src/http/routes/v1/logs.ts", 'import { logs } from "../../../delivery/index.ts";')).toEqual([]);
    expect(faults("src/http/routes/v1/logs.ts", 'import { claim } from "../../../delivery/claim.ts";')[0]).toContain(
      "http uses only the public interface of delivery",
    );
  });

  it("refuses config below app, imports out of src and folders nobody listed", () => {
    expect(faults("src/http/server/server.ts", 'import { config } from "../../config/index.ts";')[0]).toContain(
      "reads no config",
    );
    expect(faults("src/app/app.ts", 'import { x } from "../../test/support/x.ts";')[0]).toContain("outside src");
    expect(faults("src/helpers/x.ts", "")[0]).toContain('add "helpers" to it');
  });

  it("sees a cycle of files and one of folders, of types too", () => {
    const files = [
      { path: "src/core/a.ts", text: 'import { b } from "./inner/b.ts";' },
      { path: "src/core/inner/b.ts", text: 'import type { A } from "../a.ts";' },
    ];
    expect(cycles(importsOfFiles(files))).toEqual(["src/core/a.ts → src/core/inner/b.ts → src/core/a.ts"]);
    expect(cycles(importsOfFolders(files))).toEqual(["src/core → src/core/inner → src/core"]);
  });
});
