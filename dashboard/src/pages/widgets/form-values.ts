import type { WidgetSettings } from "../../../../widget/src/shared/protocol.ts";
import type { UpdateWidgetBody, Widget } from "../../api/widgets.ts";

/** What can be edited, as the controls hold it. */
export interface FormValues extends Omit<Pick<Widget, EditedField>, "texts"> {
  texts: Texts;
  /** One per line. */
  origins: string;
}

/** By language tag. */
type Texts = WidgetSettings["texts"];

type EditedField =
  | "name"
  | "is_active"
  | "color"
  | "position"
  | "texts"
  | "ask_name"
  | "ask_email"
  | "require_identity"
  | "collect_page"
  | "mailbox_id";

const EDITED = [
  "name",
  "is_active",
  "color",
  "position",
  "texts",
  "ask_name",
  "ask_email",
  "require_identity",
  "collect_page",
  "mailbox_id",
] as const satisfies readonly EditedField[];

/** Where the form shows the server's errors itself. */
export const FORM_FIELDS = [...EDITED, "allowed_origins"];

export const originsOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((line) => line.replace(/\/$/, ""))
    .filter(Boolean);

export function valuesOf(widget: Widget): FormValues {
  const edited = Object.fromEntries(EDITED.map((field) => [field, widget[field]])) as Pick<Widget, EditedField>;
  return { ...edited, texts: widget.texts as Texts, origins: widget.allowed_origins.join("\n") };
}

/** Only what was changed is sent, so that a colleague's change of another field stays. */
export function changesBetween(before: FormValues, after: FormValues): UpdateWidgetBody {
  const changed = EDITED.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return {
    ...Object.fromEntries(changed.map((field) => [field, after[field]])),
    ...(before.origins === after.origins ? {} : { allowed_origins: originsOf(after.origins) }),
  };
}

/** Texts without those that were emptied, and languages without any. */
export function withText(texts: Texts, language: string, change: Texts[string]): Texts {
  const merged = Object.entries({ ...texts[language], ...change }).filter(([, text]) => text !== "");
  const { [language]: _, ...others } = texts;
  return merged.length > 0 ? { ...others, [language]: Object.fromEntries(merged) } : others;
}
