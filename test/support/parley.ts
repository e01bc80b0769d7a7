import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type App, type AppOptions, startApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/index.ts";
import { createLogger } from "../../src/core/logger.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
  body: any;
  text: string;
}

export interface CallOptions {
  /** A key's secret; null: none is sent. The bootstrap key by default. */
  key?: string | null;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
}

export interface TestParley {
  url: string;
  /** Secret of a full, unlimited key. */
  key: string;
  app: App;
  database: TestDatabase;
  /** Everything logged so far. */
  logs(): string;
  /** `path` below /api/v1, or absolute from the root with a leading `//`. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** Creates an API key through the API and returns the record with its secret. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
  createKey(input?: object, options?: CallOptions): Promise<any>;
  /** Another workspace with a full key. */
  createWorkspace(): Promise<{ id: number; key: string }>;
  close(): Promise<void>;
}

export const TEST_KEY = "test-bootstrap-key-of-more-than-32-characters";
export const SECRET_KEY = "a-secret-key-for-tests-of-32-characters-or-more";

/** `TEST_CELL=5 npx vitest run test/api` runs the suites in another cell, whose ids do not fit into 32 bits. */
const CELL = process.env.TEST_CELL ? { PARLEY_CELL: process.env.TEST_CELL } : {};

/** The real product in this process: its own database, its own port. */
export async function startParley(
  settings: Record<string, string> = {},
  shared?: TestDatabase,
  role: Pick<AppOptions, "deliver" | "dashboard"> = {},
): Promise<TestParley> {
  const database = shared ?? (await createTestDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), "parley-data-"));
  let logged = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  const config = readConfig({
    HOST: "127.0.0.1",
    PORT: "0",
    DATABASE_URL: database.url,
    PARLEY_DATA_DIR: dataDir,
    PARLEY_SECRET_KEY: SECRET_KEY,
    PARLEY_BOOTSTRAP_API_KEY: TEST_KEY,
    PARLEY_ALLOWED_CIDRS: "127.0.0.0/8,::1/128",
    PARLEY_DATABASE_POOL: "6",
    PARLEY_LOG_LEVEL: "info",
    ...CELL,
    ...settings,
  });
  const app = await startApp({
    config,
    logger: createLogger(config.PARLEY_LOG_LEVEL, sink),
    report: () => {},
    passwords: { dangerousLogN: 10 },
    ...role,
  });
  const call = (method: string, path: string, options: CallOptions = {}) => callApi(app.url, method, path, options);
  return {
    url: app.url,
    key: config.PARLEY_BOOTSTRAP_API_KEY ?? TEST_KEY,
    app,
    database,
    logs: () => logged,
    call,
    async createKey(input = {}, options = {}) {
      const reply = await call("POST", "/api-keys", { body: { name: "a key", ...input }, ...options });
      if (reply.status !== 201) throw new Error(`creating a key responded with ${reply.status}: ${reply.text}`);
      return reply.body.data;
    },
    async createWorkspace() {
      const { createWorkspace } = await import("../../src/auth/workspaces.ts");
      const { createKey } = await import("../../src/auth/keys.ts");
      const { keyOptionsOf } = await import("../../src/store.ts");
      const { operatorCaller } = await import("../../src/auth/operator.ts");
      const workspace = await createWorkspace(app.store.db, "Other");
      const key = await app.store.db.transaction((tx) =>
        createKey(tx, keyOptionsOf(config), operatorCaller(workspace.id), {
          name: "other",
          rate_limit_tier: "unlimited",
        }),
      );
      return { id: workspace.id, key: key.key };
    },
    async close() {
      await app.close();
      if (!shared) await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function callApi(base: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const { key = TEST_KEY, body, rawBody, headers = {} } = options;
  const response = await fetch(path.startsWith("//") ? base + path.slice(1) : `${base}/api/v1${path}`, {
    method,
    headers: {
      accept: "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(rawBody !== undefined ? { body: rawBody } : body !== undefined ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text), text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
