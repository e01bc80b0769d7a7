import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { SETTINGS } from "../../src/config/settings.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the files hold
type Any = any;

const root = new URL("../../", import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const FILES = readdirSync(join(root, "deploy"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length));

/** Set by systemd, Docker or Node, and not ours. */
const FOREIGN = new Set(["NODE_ENV", "MALLOC_ARENA_MAX", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"]);
const COMMANDS = new Set(readdirSync(join(root, "src", "cli")).map((name) => name.replace(/\.ts$/, "")));

describe("the deployment files", () => {
  it.each(["Dockerfile", ...FILES])("%s names only settings that exist", (file) => {
    const named = read(file).match(/\bPARLEY_[A-Z_]+\b/g) ?? [];
    expect(named.filter((name) => !(name in SETTINGS))).toEqual([]);
  });

  it("name the version of the package as the image, which every package of the workspace has", () => {
    const { version, workspaces } = JSON.parse(read("package.json")) as { version: string; workspaces: string[] };
    const images = FILES.flatMap((file) => read(file).match(/\bimage: parley:\S+/g) ?? []);
    expect(images.length).toBeGreaterThan(0);
    expect(new Set(images)).toEqual(new Set([`image: parley:${version}`]));
    for (const name of workspaces)
      expect((JSON.parse(read(`${name}/package.json`)) as { version: string }).version, name).toBe(version);
  });

  it("ask for metrics that are served", () => {
    const served = new Set(read("src/http/server/metrics.ts").match(/\bparley_[a-z_]+\b/g));
    const asked = FILES.flatMap(
      (file) => read(file).match(/\bparley_(?:http|delivery|database|event|rate_limit|node)_[a-z_]+\b/g) ?? [],
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.map((name) => name.replace(/_(?:count|bucket)$/, "")).filter((name) => !served.has(name))).toEqual([]);
  });

  it("build the image from files that exist, and copy each package of the workspace before installing", () => {
    const dockerfile = read("Dockerfile");
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, words = ""]) =>
      words.split(" ").slice(0, -1),
    );
    for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true);
    const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
    const beforeInstall = dockerfile.slice(0, dockerfile.indexOf("npm ci"));
    for (const name of workspaces) expect(beforeInstall).toContain(`${name}/package.json`);
  });

  it.each(FILES.filter((file) => file.endsWith("haproxy.cfg")))(
    "%s repeats no request that a crashed node may have completed",
    (file) => {
      const text = read(file);
      expect(text).toContain("retry-on conn-failure empty-response");
      expect(text).toMatch(/^ {2}http-request disable-l7-retry unless METH_GET or METH_HEAD or /m);
    },
  );

  it.each(FILES.filter((file) => file.endsWith("haproxy.cfg")))(
    "%s notices that a node stops, with a second to spare, before it does by the default setting",
    (file) => {
      const [, interval = "", checks = ""] = read(file).match(/check inter (\d+)s fall (\d+)/) ?? [];
      const lameDuck = Number(SETTINGS.PARLEY_LAME_DUCK_SECONDS.fallback);
      expect(lameDuck).toBeGreaterThan(Number(interval) * Number(checks) + 1);
    },
  );

  it("bring every file that the settings of HAProxy read", () => {
    for (const file of FILES.filter((name) => name.endsWith("haproxy.cfg")))
      for (const [, name = ""] of read(file).matchAll(/\/etc\/haproxy\/([\w.-]+)/g))
        expect(existsSync(join(root, dirname(file), name)), `${file} needs ${name}`).toBe(true);
  });

  it("let nginx repeat no request that is not idempotent", () => {
    for (const file of FILES.filter((name) => name.endsWith("nginx.conf")))
      expect(read(file), file).not.toContain("non_idempotent");
  });

  it.each(["package.json", "Dockerfile", ...FILES.filter((file) => file.endsWith(".service"))])(
    "%s starts a server with a small young generation and one arena of the allocator",
    (file) => {
      const words = read(file).replace(/[",\s]+/g, " ");
      expect(words).toContain("node --max-semi-space-size=16 bin/parley.mjs");
      expect(words).toContain("MALLOC_ARENA_MAX=1");
    },
  );

  it("run the image as an ordinary user, with a health check and a stop signal", () => {
    const last =
      read("Dockerfile")
        .split(/^FROM /m)
        .at(-1) ?? "";
    expect(last).toMatch(/^USER (?!root)\S+$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
  });

  it.each(["deploy/compose/single/compose.yaml", "deploy/compose/cluster/compose.yaml"])(
    "%s starts commands that exist, with settings that exist, and waits for a drain",
    (file) => {
      const { services } = parse(read(file), { merge: true }) as { services: Record<string, Any> };
      const own = Object.entries(services).filter(([, service]) => service.build);
      expect(own.length).toBeGreaterThan(0);
      for (const [name, service] of own) {
        for (const command of service.command ?? ["serve"]) expect(COMMANDS, name).toContain(command);
        for (const setting of Object.keys(service.environment ?? {}))
          expect(setting in SETTINGS || FOREIGN.has(setting), setting).toBe(true);
        expect(Number.parseInt(service.stop_grace_period, 10), name).toBeGreaterThan(30);
      }
    },
  );

  it("give every Kubernetes object a kind and a name, and every container probes and no privileges", () => {
    const objects = parseAllDocuments(read("deploy/kubernetes/parley.yaml")).map((document) => document.toJS() as Any);
    expect(objects.map(({ kind }) => kind).sort()).toEqual([
      "ConfigMap",
      "Deployment",
      "Deployment",
      "HorizontalPodAutoscaler",
      "PodDisruptionBudget",
      "Service",
    ]);
    for (const { apiVersion, metadata } of objects) expect([apiVersion, metadata.name]).not.toContain(undefined);
    for (const { spec } of objects.filter(({ kind }) => kind === "Deployment")) {
      const { containers, securityContext, terminationGracePeriodSeconds } = spec.template.spec;
      expect(securityContext.runAsNonRoot).toBe(true);
      expect(terminationGracePeriodSeconds).toBeGreaterThan(30);
      for (const container of containers) {
        // Restarting a process does not help a database: the probe must not ask for it.
        expect(container.livenessProbe.httpGet.path).toBe("/health/live");
        expect(container.securityContext.allowPrivilegeEscalation).toBe(false);
        for (const command of container.args) expect(COMMANDS).toContain(command);
      }
    }
  });

  it.each(["parley.service", "parley-worker@.service"])(
    "%s starts a command that exists and waits for a drain",
    (name) => {
      const unit = read(`deploy/systemd/${name}`);
      const [, script = "", command = ""] = /^ExecStart=\/usr\/bin\/env node --\S+ (\S+) (\w+)$/m.exec(unit) ?? [];
      expect(existsSync(join(root, script)), script).toBe(true);
      expect(COMMANDS).toContain(command);
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(30);
    },
  );
});
