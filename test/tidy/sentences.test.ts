import { expect, it } from "vitest";
import { SCOPE_TEXTS } from "../../dashboard/src/pages/api-keys/scope-texts.ts";
import { EVENT_TEXTS } from "../../dashboard/src/pages/webhooks/form/event-texts.ts";
import { SCOPE_CATALOGUE } from "../../src/auth/scopes.ts";
import { EVENT_CATALOGUE } from "../../src/events/catalogue.ts";
import { codeOnly, readTree, type SourceFile } from "./source-text.ts";
import { dashboardFiles, type Node, nameOf, parse, walk } from "./texts.ts";

/** Code that people who are signed in never reach, or whose messages are for a terminal or for visitors. */
const NOT_FOR_PEOPLE =
  /^src\/(?:cli|demo|mcp|replay|listen|trigger|config|backup|cells|installation-key|visitors|widgets\/public|url-guard|http\/server|http\/streams|http\/routes\/visitor|http\/pipeline\/(?:body|errors|idempotency|same-origin|unread-responses|upload-body|visitor-access))/;

/** What only requests of programs lead to. The dashboard shows it in English, should it ever arrive there. */
const FOR_PROGRAMS = [
  "The {} does not exist.",
  "The API key would have scopes that the caller of this request lacks.",
  "A key cannot create, change or rotate a key with fewer limits than its own: {}.",
  "Too many unknown API keys from this address.",
  "Too many requests of this workspace to /mcp are in progress. Try again soon.",
  "The contact with this external_id is being created and deleted at this moment. Try again.",
  "Creating a contact needs the scope contacts:write. Send a contact_id, or no contact at all.",
  "Writing to an address that is new to the conversation needs the scope contacts:write.",
  "{} is not available: {}.{}",
  "A bot does not reply to automatic mail. Name the recipients in email.to to write to a person.",
  "Too many mails of this workspace are being stored.",
  "Send the bytes of the mail as message/rfc822.",
  "The mail is larger than the limit of {} bytes.",
  "The file is attached to a message or a draft. Remove it there.",
  "This API key may not be used from this address.",
  "Only people who are signed in to the dashboard can do this.",
  "This API key lacks the scope {}.",
  "This workspace has moved to cell {}.",
  "This consumer shows events that this key may not read.",
  "Creating a consumer also requires the scope events:read.",
  "A first message needs the scope messages:write, which this API key lacks.",
  "Filtering by delivery needs the scope webhooks:manage.",
  "Searching needs the read scope of what is searched, which this API key lacks.",
];

const files = readTree("src", (path) => path.endsWith(".ts"));
const withoutNames = (text: string): string => text.replace(/\{\w*\}/g, "{}");

const sentences = new Set(dashboardFiles().flatMap((file) => argumentsOf(file, /^says$/, () => 0)));

const messagesOf = (file: SourceFile): string[] =>
  argumentsOf(file, /^(?:conflict|forbidden|unavailable|Fault)$/, (name) => (name === "Fault" ? 1 : 0));

/** The last words of a quota are its collection. */
const LIMITED = /(?<=limit of \{max\}) .*$/;

/** The texts that calls of these names get as the argument of that index. */
function argumentsOf(file: SourceFile, called: RegExp, index: (name: string) => number): string[] {
  const found: string[] = [];
  walk(parse(file), [], (node) => {
    const name = /^(?:Call|New)Expression$/.test(node.type) ? nameOf(node.callee as Node) : "";
    if (!called.test(name)) return;
    const text = textOf((node.arguments as Node[])[index(name)]);
    if (text !== null) found.push(text);
  });
  return found;
}

function textOf(node: Node | undefined): string | null {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type !== "TemplateLiteral") return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("{}");
}

it("what the server says to people is translated, or is listed as for programs", () => {
  const known = new Set([...sentences].map(withoutNames));
  const missing = files
    .filter(({ path }) => !NOT_FOR_PEOPLE.test(path))
    .flatMap((file) => messagesOf(file).map((text) => ({ path: file.path, text })))
    .filter(({ text }) => !known.has(text) && !FOR_PROGRAMS.includes(text))
    .map(({ path, text }) => `${path} says ${JSON.stringify(text)}`);
  expect(missing).toEqual([]);
});

it("a translated sentence is still one that the server says", () => {
  const said = files.map(({ text }) => codeOnly(text, { strings: "keep" })).join("\n");
  const stale = [...sentences].filter((text) => {
    const [, what] = /^The (.+) does not exist\.$/.exec(text) ?? [];
    if (what && new RegExp(`\\b(?:notFound|found)\\(\\s*"${what}"`).test(said)) return false;
    const parts = text.replace(LIMITED, "").split(/\{\w+\}/);
    return !parts.every((part) => said.includes(part.trim()));
  });
  expect(stale).toEqual([]);
});

it("scopes and events have a translation of what the server says about them", () => {
  const { "webhook.test": _sentOnRequest, ...events } = EVENT_CATALOGUE;
  const described = Object.entries(events).map(([name, { about }]) => [name, about]);
  expect(SCOPE_TEXTS).toEqual(SCOPE_CATALOGUE);
  expect(EVENT_TEXTS).toEqual(Object.fromEntries(described));
});
