import { describe, expect, it } from "vitest";
import { codeOnly, faultsWhere, importsOf, isTypeScript, readTree, type SourceFile } from "./source-text.ts";

interface Exemption {
  /** A file, or a folder with its slash at the end. */
  readonly where: string;
  readonly what: RegExp;
  readonly reason: string;
}

interface Rule {
  readonly name: string;
  readonly faults: (file: SourceFile) => string[];
  readonly exempt: readonly Exemption[];
  /** Files the rule must refuse, so that it is seen to fail. */
  readonly bad: readonly SourceFile[];
  readonly good: readonly SourceFile[];
}

const LINES_MAX = 400;
/** The linter refuses functions over 60 lines already, a screen; this holds where it is not run. */

/** Or everything at once. */
const WRITES_FILES = /\b(?:writeFile|appendFile|rename|createWriteStream|open|link|cp|copyFile)(?:Sync)?\b|^[^{]/;

const at = (path: string, ...texts: string[]): SourceFile[] => texts.map((text) => ({ path, text }));

const SOURCE_RULES: readonly Rule[] = [
  {
    name: "only src/config reads the environment",
    faults: (file) =>
      faultsWhere(
        file,
        codeOnly(file.text, { strings: "keep" }),
        /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[\s*["']env["']|\{[^{}\n]*\benv\b[^{}\n]*\}\s*(?:=\s*process\b|from\s*["'](?:node:)?process["'])/g,
        "settings have one documented schema in src/config; app hands values down",
      ),
    exempt: [{ where: "src/config/", what: /./, reason: "the one reader" }],
    bad: at(
      "src/http/server/server.ts",
      "const port = process.env.PORT;",
      'const port = process["env"].PORT;',
      "const { env } = process;",
      'import { env } from "node:process";',
    ),
    good: at(
      "src/http/server/server.ts",
      "// process.env is read in config",
      "const { env } = settings; process.exitCode = 1;",
    ),
  },
  {
    name: "only src/url-guard opens sockets outwards",
    faults: outboundFaults,
    exempt: [
      { where: "src/url-guard/", what: /./, reason: "the guarded connector itself" },
      { where: "src/backup/", what: /"pg"/, reason: "a connection of its own to the operator's database" },
      { where: "src/cells/", what: /"pg"/, reason: "connections of its own to the operator's databases" },
      { where: "src/db/", what: /"pg"/, reason: "the connection to the operator's own database" },
      {
        where: "src/listen/forward.ts",
        what: /fetch/,
        reason: "sends to the developer's own receiver, from the developer's own machine; the server never runs it",
      },
      {
        where: "src/replay/candidate.ts",
        what: /fetch/,
        reason: "sends to an address that its user names, from the user's own machine; the server never runs it",
      },
      { where: "src/mail/", what: /"nodemailer"/, reason: "the connection to the operator's own mail server" },
      { where: "src/email/imap/", what: /"imapflow"/, reason: "connects by number to what the guard approved" },
      {
        where: "src/email/outbound/mime.ts",
        what: /"nodemailer\/lib\/mail-composer"/,
        reason: "writes the bytes of a mail and connects to nothing",
      },
      { where: "src/cli/doctor.ts", what: /fetch/, reason: "asks the operator's own server for its health" },
    ],
    bad: at(
      "src/http/x.ts",
      'import { request } from "undici";',
      'import pg from "pg";',
      'import { createTransport } from "nodemailer";',
      'import { ImapFlow } from "imapflow";',
      'import { request } from "node:https";',
      'import http from "node:http";',
      'import * as net from "node:net";',
      'import { createServer, connect } from "node:net";',
      'const tls = await import("node:tls");',
      'await fetch("https://example.com");',
      "await globalThis.fetch(url);",
      "new WebSocket(url);",
    ),
    good: at(
      "src/http/x.ts",
      'import { createServer, type Server, type IncomingMessage } from "node:http";',
      'import type { Socket } from "node:net";',
      'import { isIP } from "node:net";',
      "await repository.fetch(id); // fetch(url) would be wrong",
    ),
  },
  {
    name: "only src/queue writes deliveries, lanes, dead letters and the log",
    faults: (file) =>
      faultsWhere(
        file,
        file.text,
        /\b(?:insert\s+into|update|delete\s+from)\s+(?:deliveries|delivery_lanes|dead_letters|delivery_attempts)\b/gi,
        "every statement that changes the queue is in one folder, so that its states can be read in one place",
      ),
    exempt: [{ where: "src/queue/", what: /./, reason: "the queue itself" }],
    bad: at("src/webhooks/x.ts", "sql('x', `update delivery_lanes set paused = true`)", "`delete\n from deliveries`"),
    good: at("src/webhooks/x.ts", "`select * from deliveries`", "`delete from webhooks`"),
  },
  {
    name: "only core/durable-file writes files that must be found again",
    faults: (file) =>
      importsOf(file.text).flatMap(({ specifier, clause, line }) =>
        /^(?:node:)?fs(?:\/promises)?$/.test(specifier) && WRITES_FILES.test(clause.replace(/\btype \w+/g, ""))
          ? [
              `${file.path}:${line} imports ${clause} to write files: a power loss must not empty them, see writeDurable`,
            ]
          : [],
      ),
    exempt: [
      { where: "src/core/durable-file.ts", what: /./, reason: "the one writer" },
      { where: "src/backup/backup-file.ts", what: /open/, reason: "streams into a draft, which moveDurably names" },
      {
        where: "src/cli/move.ts",
        what: /appendFileSync/,
        reason: "the operator's own file, whose new lines are also printed",
      },
      {
        where: "src/db/embedded/server/pid-file.ts",
        what: /rename/,
        reason: "of a process, which ends with the power",
      },
      { where: "src/db/embedded/server/server-log.ts", what: /open/, reason: "a log, which nothing reads back" },
      { where: "src/db/embedded/binaries/package.ts", what: /rename/, reason: "a copy that can be made again" },
    ],
    bad: at(
      "src/cli/x.ts",
      'import { writeFileSync } from "node:fs";',
      'import { rename } from "node:fs/promises";',
      'import * as fs from "node:fs";',
      'import fs from "fs";',
    ),
    good: at(
      "src/cli/x.ts",
      'import { existsSync, readFileSync } from "node:fs";',
      'import { type FileHandle, stat } from "node:fs/promises";',
      'import { writeDurable } from "../core/durable-file.ts";',
    ),
  },
  {
    name: `no file in src is longer than ${LINES_MAX} lines`,
    faults: (file) => {
      const lines = file.text.trimEnd().split("\n").length;
      return lines > LINES_MAX ? [`${file.path} has ${lines} lines: past ${LINES_MAX} look for the seam.`] : [];
    },
    exempt: [],
    bad: at("src/http/x.ts", "a;\n".repeat(LINES_MAX + 1)),
    good: at("src/http/x.ts", "a;\n".repeat(LINES_MAX)),
  },
  {
    name: "the result of a call that can only fail or return is used",
    faults: (file) =>
      faultsWhere(
        file,
        codeOnly(file.text, { strings: "blank" }),
        /(?<=(?:;|\}|(?<!\$)\{)\s*)(?:decodeURI(?:Component)?|encodeURI(?:Component)?|JSON\.parse|BigInt|new (?:URL|RegExp|TextDecoder))\s*\(/g,
        "the bundler leaves out such a call when its result is not used, and with it the error that it was made for",
      ),
    exempt: [],
    bad: at(
      "src/http/server/server.ts",
      "function isUrl(text: string) {\n  try {\n    new URL(text);\n    return true;\n  } catch {\n    return false;\n  }\n}",
      "const path = url;\ndecodeURIComponent(path);",
    ),
    good: at(
      "src/http/server/server.ts",
      "const parsed = new URL(text);",
      "function decoded(path: string) {\n  return decodeURIComponent(path);\n}",
      "const detail: Detail =\n  JSON.parse(text);",
      `const link = \`/\${encodeURIComponent(name)}\`;`,
    ),
  },
];

const SOURCE_AND_TEST_RULES: readonly Rule[] = [
  {
    name: "no work is left behind in a comment",
    faults: (file) =>
      faultsWhere(file, file.text, /\b(?:TODO|FIXME|XXX)\b/g, "do it, or open an issue and leave the code whole"),
    exempt: [{ where: "test/tidy/", what: /./, reason: "names the words it looks for" }],
    bad: at("src/x.ts", "// TODO later", "/* FIXME */"),
    good: at("src/x.ts", "const todo = list.length;"),
  },
  {
    name: "no test is skipped or run alone",
    faults: (file) =>
      faultsWhere(
        file,
        codeOnly(file.text, { strings: "blank" }),
        /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.(?:only|skip|todo|fails)\b|\b(?:xit|xdescribe|fit|fdescribe)\s*\(/g,
        "every test runs; one that needs something the machine may lack says so with skipIf",
      ),
    exempt: [],
    bad: at("test/x.test.ts", 'it.only("x", f);', 'describe.skip("x", f);', 'test.concurrent.only("x", f);'),
    good: at("test/x.test.ts", 'it.skipIf(noPostgres)("x", f);', "query.skip(3);"),
  },
  {
    name: "every lint exemption carries its reason",
    faults: (file) => [
      ...faultsWhere(
        file,
        file.text,
        /\/[/*]+\s*biome-ignore(?:-\w+)?\b(?!(?:-\w+)?\s+[\w/]+(?:\([^)]*\))?:\s*(?!<)\S.{9,})[^\n]*/g,
        "name the rule, a colon, and why it is right here",
      ),
      ...faultsWhere(
        file,
        file.text,
        /@ts-(?:ignore|nocheck)\b|@ts-expect-error\s*(?:\n|$)|eslint-disable/g,
        "types are not silenced; @ts-expect-error with a reason is for tests of the types themselves",
      ),
    ],
    exempt: [{ where: "test/tidy/source-rules.test.ts", what: /./, reason: "holds the bad examples" }],
    bad: at(
      "src/x.ts",
      "// biome-ignore lint/suspicious/noExplicitAny: <explanation>",
      "// biome-ignore lint/suspicious/noExplicitAny",
      "// biome-ignore lint: x",
      "// @ts-ignore",
      "// @ts-expect-error\nf(1);",
    ),
    good: at("src/x.ts", "// biome-ignore lint/suspicious/noExplicitAny: the driver's own type is any"),
  },
];

/** What may be taken from the modules that can both listen and connect. */
const HARMLESS: Record<string, RegExp> = {
  http: /^(createServer|Server|IncomingMessage|ServerResponse|STATUS_CODES|METHODS|maxHeaderSize)$/,
  https: /^(createServer|Server)$/,
  http2: /^(createServer|createSecureServer|constants)$/,
  net: /^(createServer|Server|isIP|isIPv4|isIPv6|BlockList|SocketAddress)$/,
  tls: /^(createServer|Server|createSecureContext|rootCertificates)$/,
  dgram: /^$/,
};

function outboundFaults(file: SourceFile): string[] {
  const sentence = "the guard in src/url-guard is the only way out, so that no address escapes its policy";
  const byImport = importsOf(file.text).flatMap(({ specifier, clause, line }) => {
    if (/^type\b/.test(clause) || !connects(specifier, clause)) return [];
    return [`${file.path}:${line} imports "${specifier}" to connect: ${sentence}`];
  });
  const code = codeOnly(file.text, { strings: "blank" });
  const byCall = /(?<![\w.$])(?:globalThis\s*\.\s*)?fetch\s*\(|\bnew\s+(?:WebSocket|EventSource)\b/g;
  return [...byImport, ...faultsWhere(file, code, byCall, sentence)];
}

function connects(specifier: string, clause: string): boolean {
  if (/^(undici|pg|pg-pool|axios|got|node-fetch|ws|ioredis|redis|nodemailer|imapflow)(\/|$)/.test(specifier))
    return true;
  const harmless = HARMLESS[specifier.replace(/^node:/, "")];
  if (!harmless) return false;
  const names = /^\{([\s\S]*)\}$/.exec(clause.trim())?.[1];
  if (names === undefined) return true;
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .some((name) => !harmless.test(name.split(/\s+as\s+/)[0] ?? ""));
}

const covers = ({ where, what }: Exemption, path: string, fault: string): boolean =>
  (where.endsWith("/") ? path.startsWith(where) : path === where) && what.test(fault);

function faultsOf(rule: Rule, file: SourceFile): string[] {
  return rule.faults(file).filter((fault) => !rule.exempt.some((exemption) => covers(exemption, file.path, fault)));
}

/** Exemptions that exempt nothing in these files. */
function unusedExemptions(rule: Rule, files: readonly SourceFile[]): string[] {
  const faults = files.flatMap((file) => rule.faults(file).map((fault) => ({ path: file.path, fault })));
  return rule.exempt
    .filter((exemption) => !faults.some(({ path, fault }) => covers(exemption, path, fault)))
    .map(({ where, what }) => `${where} needs no exemption for ${what}: delete it.`);
}

function holds(rules: readonly Rule[], files: readonly SourceFile[]): void {
  it.each(rules.map((rule) => [rule.name, rule] as const))("keep the rule that %s", (_name, rule) => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap((file) => faultsOf(rule, file))).toEqual([]);
    expect(unusedExemptions(rule, files)).toEqual([]);
  });
}

describe("the files of src", () => holds(SOURCE_RULES, readTree("src", isTypeScript)));

describe("the files of src and test", () =>
  holds(SOURCE_AND_TEST_RULES, [...readTree("src", isTypeScript), ...readTree("test", isTypeScript)]));

describe("each checker", () => {
  const rules = [...SOURCE_RULES, ...SOURCE_AND_TEST_RULES];

  it.each(rules.map((rule) => [rule.name, rule] as const))("finds what breaks its rule, that %s", (_name, rule) => {
    expect(rule.bad.length).toBeGreaterThan(0);
    for (const file of rule.bad) expect(faultsOf(rule, file), file.text.slice(0, 80)).not.toEqual([]);
    for (const file of rule.good) expect(faultsOf(rule, file), file.text.slice(0, 80)).toEqual([]);
  });

  it("gives a reason for every exemption", () => {
    for (const { exempt } of rules) for (const { reason } of exempt) expect(reason.length).toBeGreaterThan(5);
  });

  it("has exemptions that cover one folder only", () => {
    const environment = SOURCE_RULES[0] as Rule;
    const text = "const { PORT } = process.env;";
    expect(faultsOf(environment, { path: "src/config/read.ts", text })).toEqual([]);
    expect(faultsOf(environment, { path: "src/db/pool.ts", text })).toHaveLength(1);
  });

  it("has no exemption that exempts nothing", () => {
    const environment = SOURCE_RULES[0] as Rule;
    const reading = { path: "src/config/read.ts", text: "const { PORT } = process.env;" };
    expect(unusedExemptions(environment, [reading])).toEqual([]);
    expect(unusedExemptions(environment, [{ ...reading, text: "" }])).toHaveLength(1);
  });
});

describe("codeOnly", () => {
  it("blanks comments and strings, and nothing else, line by line", () => {
    const text = ['a("//no"); // c', "b(`x$\u007bc({ d: `//` })}y`); /* e", "f */ g(/[/'\"]/.test(h)); i('it\\'s');"];
    expect(codeOnly(text.join("\n"), { strings: "blank" }).split("\n")).toEqual([
      'a("    ");     ',
      "b(` $\u007bc({ d: `  ` })} `);     ",
      "     g(       .test(h)); i('     ');",
    ]);
    expect(codeOnly(text.join("\n"), { strings: "keep" }).split("\n")).toEqual([
      'a("//no");     ',
      "b(`x$\u007bc({ d: `//` })}y`);     ",
      "     g(/[/'\"]/.test(h)); i('it\\'s');",
    ]);
  });
});
