import type { WidgetRecord, WidgetTexts } from "../resources/widget.ts";

/** Null restores the default. */
export interface WidgetInput {
  name?: string | undefined;
  is_active?: boolean | null | undefined;
  allowed_origins?: string[] | undefined;
  require_identity?: boolean | null | undefined;
  color?: string | null | undefined;
  position?: WidgetRecord["position"] | null | undefined;
  texts?: TextsInput | null | undefined;
  ask_name?: WidgetRecord["ask_name"] | null | undefined;
  ask_email?: WidgetRecord["ask_email"] | null | undefined;
  collect_page?: boolean | null | undefined;
  mailbox_id?: number | string | null | undefined;
}

type TextsInput = Record<string, { [Name in keyof WidgetTexts]?: string | null | undefined } | null>;

/** With the id of its mailbox. */
type ResolvedInput = WidgetInput & { mailbox_id?: number | null | undefined };

/** What a request can set. */
export type OwnFields = Omit<WidgetRecord, "id" | "uuid" | "public_id" | "created_at" | "updated_at">;

const DEFAULTS: Omit<OwnFields, "name" | "allowed_origins"> = {
  is_active: true,
  require_identity: false,
  color: "#0f766e",
  position: "right",
  texts: {},
  ask_name: "no",
  ask_email: "optional",
  collect_page: true,
  mailbox_id: null,
};

const TEXT_NAMES = ["title", "greeting", "launcher", "placeholder"] as const;
const LANGUAGE_TAG = /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,4}$/i;

/** The fields that follow from a request. What it leaves out is that of `before`, or the default of a new widget. */
export function fieldsOf(input: ResolvedInput, before: Partial<OwnFields> = {}): OwnFields {
  const { name, allowed_origins } = input;
  const stored: OwnFields = { ...DEFAULTS, name: "", allowed_origins: [], ...before };
  return {
    name: name ?? stored.name,
    allowed_origins: allowed_origins ? originsOf(allowed_origins) : stored.allowed_origins,
    is_active: choose("is_active", input.is_active, stored),
    require_identity: choose("require_identity", input.require_identity, stored),
    color: choose("color", input.color?.toLowerCase() ?? input.color, stored),
    position: choose("position", input.position, stored),
    texts: choose("texts", input.texts && textsOf(input.texts), stored),
    ask_name: choose("ask_name", input.ask_name, stored),
    ask_email: choose("ask_email", input.ask_email, stored),
    collect_page: choose("collect_page", input.collect_page, stored),
    mailbox_id: choose("mailbox_id", input.mailbox_id, stored),
  };
}

const choose = <Name extends keyof typeof DEFAULTS>(
  name: Name,
  given: OwnFields[Name] | null | undefined,
  stored: OwnFields,
): OwnFields[Name] => (given === undefined ? stored[name] : (given ?? DEFAULTS[name])) as OwnFields[Name];

/** Only the known texts; null and an absent one are the same. */
function textsOf(given: TextsInput): WidgetRecord["texts"] {
  const entries = Object.entries(given).flatMap(([language, texts]) => {
    const named = TEXT_NAMES.flatMap((name) => (typeof texts?.[name] === "string" ? [[name, texts[name]]] : []));
    return texts === null ? [] : [[language, Object.fromEntries(named)] as const];
  });
  return Object.fromEntries(entries);
}

export const languageProblems = (texts: TextsInput | null | undefined): string[] =>
  Object.keys(texts ?? {})
    .filter((language) => !LANGUAGE_TAG.test(language))
    .map((language) => `texts has ${JSON.stringify(language.slice(0, 64))}, which is not a language tag such as de.`);

const NOT_AN_ORIGIN = "must be an origin such as https://shop.example, with nothing after the host and port.";
const NOT_HTTPS = "must begin with https://; http:// is for localhost and loopback addresses only.";
// What is left of a host after parsing goes into a header: a wildcard, a semicolon or a quote would mean more there.
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])$/;

export const originProblems = (origins: readonly string[]): string[] =>
  origins.flatMap((origin, index) => {
    const problem = originProblem(origin);
    return problem === null ? [] : [`allowed_origins[${index}] ${problem}`];
  });

function originProblem(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(text) || !URL.canParse(text)) return NOT_AN_ORIGIN;
  const { protocol, hostname } = new URL(text);
  if (!HOST.test(hostname)) return NOT_AN_ORIGIN;
  return protocol === "https:" || isLoopback(hostname) ? null : NOT_HTTPS;
}

const isLoopback = (hostname: string): boolean =>
  /^(?:.+\.)?localhost$/.test(hostname) || /^127(?:\.\d+){3}$/.test(hostname) || hostname === "[::1]";

const originsOf = (origins: readonly string[]): string[] => [...new Set(origins.map((text) => new URL(text).origin))];
