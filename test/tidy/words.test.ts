import { describe, expect, it } from "vitest";
import { lineAt, readTree, type SourceFile } from "./source-text.ts";

interface Word {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Files in which the word means something else. */
  readonly exceptIn?: readonly string[];
}

/** The glossary of CONTRIBUTING.md, as patterns. Each is a word that a reader from elsewhere stops at. */
const WORDS: readonly Word[] = [
  { pattern: /\btaken for dead\b|\bby the dead\b|\bthe dead\b/i, instead: "expired lease, crashed worker" },
  {
    pattern: /\b(?:is|are|was|were|be|been)(?: not)? told\b|\btold (?:of|about)\b|\btells? of\b/i,
    instead: "notified, reported",
  },
  { pattern: /\bhungry\b/i, instead: "window full, window has room" },
  { pattern: /\bdoom(?:ed)?\b/i, instead: "schedule disabling" },
  { pattern: /\bforgiv(?:e|en|es)\w*/i, instead: "reset" },
  { pattern: /\bhears?(?:_\w+)?\b|\bheard\b/i, instead: "subscribes to, receives" },
  { pattern: /\bunder way\b/i, instead: "in flight, in progress" },
  { pattern: /\bfor ever\b/i, instead: "forever" },
  { pattern: /\blook-ups?\b|\blookUp\b/, instead: "lookup" },
  { pattern: /\bis no (?:known|event|JSON|IP|valid)\b/i, instead: "is not a …" },
  { pattern: /\b(?:one|a) (?:record|row|line|file|query|statement) an? \w+/i, instead: "one … per …" },
  {
    pattern: /answer/i,
    instead: "respond, response; a client receives or gets a 401",
    exceptIn: [
      // The records of a DNS response are its answers, in the RFCs and in the interface of dns-packet.
      "test/support/dns-server.ts",
      // What a person writes to a customer.
      "dashboard/src/pages/saved-replies/index.tsx",
    ],
  },
  { pattern: /\bgiven up\b/i, instead: "dead letter" },
  { pattern: /\bgives? back\b|\bgiven back\b|\bdisown\w*/i, instead: "release" },
  { pattern: /\bmend(?:s|ed|ing)?\b|\btakes? away\b|\btaken away\b/i, instead: "update, restore, fix, delete" },
  { pattern: /\b(?:database|server) (?:is|was) away\b|\bwent away\b/i, instead: "is unavailable" },
  { pattern: /\bin vain\b/i, instead: "without success" },
  { pattern: /\bafresh\b|\banew\b|\bhad again\b/i, instead: "again, new, reproduced" },
  { pattern: /\bfor good\b/i, instead: "permanently" },
  { pattern: /\bknows? nothing of\b/i, instead: "does not know" },
  {
    pattern:
      /(?<!\w)(?:ms|µs|[kM]B|KiB|pages?|times|messages|requests|deliveries|events|attempts|rows?) an? (?:second|minute|hour|delivery|attempt|row)\b/i,
    instead: "… per …",
  },
  { pattern: /\bbeside\b/i, instead: "next to, in addition to, together with" },
  { pattern: /\bsomebody(?:'s)?\b|\bwhoever\b/i, instead: "a user, a client, another process" },
  { pattern: /\b(?:go|goes|went|going) on\b/i, instead: "continue, keep" },
  { pattern: /\bso many\b/i, instead: "this many, how many" },
  { pattern: /\bhalf[- ]made\b|\bleft half\b/i, instead: "incomplete, partial" },
  { pattern: /\ball the same\b/i, instead: "anyway, still, despite that" },
  { pattern: /\btak(?:e|es|en) back\b/i, instead: "undo, withdraw" },
  { pattern: /\b(?:is|was|are|were) no (?:text|string|number)\b/i, instead: "is not a …" },
];

function wordFaults({ path, text }: SourceFile): string[] {
  return WORDS.filter(({ exceptIn }) => !exceptIn?.includes(path)).flatMap(({ pattern, instead }) => [
    ...[...text.matchAll(new RegExp(pattern, `${pattern.flags.replace("g", "")}g`))].map(
      (match) => `${path}:${lineAt(text, match.index)} says "${match[0]}": write ${instead}.`,
    ),
    ...(pattern.test(path) || pattern.test(asWords(path)) ? [`${path} has a name to avoid: write ${instead}.`] : []),
  ]);
}

/** `test/prove/sent-for-ever.patch` as "test prove sent for ever patch", in which the patterns of several words match. */
const asWords = (path: string): string => path.replaceAll(/[^a-z0-9]+/gi, " ");

const READ = [
  "src",
  "dashboard/src",
  "dashboard/pictures",
  "widget",
  "client",
  "site",
  "docs",
  "test",
  "bench",
  "scripts",
  "examples",
  "deploy",
  "bin",
  ".github",
];
const IS_TEXT = /\.(?:ts|tsx|mjs|sql|md|css|patch|yml|yaml)$|^deploy\//;
/** The patterns themselves, the glossary that lists the words to avoid, and texts that others wrote. */
const EXEMPT = new Set(["test/tidy/words.test.ts", "CONTRIBUTING.md"]);
/** Their English is checked where it is used. */
const TRANSLATIONS = /^dashboard\/src\/texts\//;

function everyText(): SourceFile[] {
  const files = READ.flatMap((folder) => readTree(folder, (path) => IS_TEXT.test(path)));
  const pages = readTree("", (path) => /^[A-Z]+\.md$/.test(path));
  return [...files, ...pages].filter(({ path }) => !EXEMPT.has(path) && !TRANSLATIONS.test(path));
}

describe("plain English", () => {
  it("is written everywhere", () => {
    const files = everyText();
    for (const folder of READ)
      expect(
        files.some(({ path }) => path.startsWith(`${folder}/`)),
        folder,
      ).toBe(true);
    expect(files.flatMap(wordFaults)).toEqual([]);
  });

  it.each(["src/http/answers.ts", "deploy/for-ever/compose.yaml"])("is missed in the name %s", (path) => {
    expect(wordFaults({ path, text: "" })).toHaveLength(1);
  });

  it.each([
    "the worker is taken for dead",
    "listeners are told of it",
    "the client is not told by it",
    "one record an attempt",
    "A look-up under way",
    "Whatever uses it answers 401",
    "events: is no known event",
    "deliveries given up",
    "for ever",
    "30 µs a delivery",
    "the key is revoked for good",
    "a request that is never answered",
    "const rawAnswer = 1",
    "whoever lost the lease goes on",
    "a table beside the events",
    "waits until so many have arrived",
    "there is nothing to mend",
    "20 deliveries a second",
    "is sent all the same",
  ])("is missed in: %s", (text) => {
    expect(wordFaults({ path: "src/x.ts", text })).not.toEqual([]);
  });

  it.each([
    "one record per attempt",
    "a lookup in flight",
    "a client receives a 401",
    "is not a known event",
    "forever",
  ])("is recognised in: %s", (text) => {
    expect(wordFaults({ path: "src/x.ts", text })).toEqual([]);
  });
});
