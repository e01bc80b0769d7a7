import { type Static, Type } from "typebox";
import { Id, nullableInteger, oneOf, Timestamp, Uuid } from "./common.ts";

export const WIDGET_POSITIONS = ["left", "right"] as const;
export const WIDGET_QUESTIONS = ["no", "optional", "required"] as const;

const WidgetTexts = Type.Object(
  {
    title: Type.Optional(Type.String()),
    greeting: Type.Optional(Type.String()),
    launcher: Type.Optional(Type.String()),
    placeholder: Type.Optional(Type.String()),
  },
  { title: "WidgetTexts" },
);
export type WidgetTexts = Static<typeof WidgetTexts>;

export const WidgetRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    public_id: Type.String({ description: "`wid_` and 24 characters. Stands in the page and is not a secret." }),
    name: Type.String(),
    is_active: Type.Boolean({ description: "False: the page shows nothing, and messages are refused." }),
    allowed_origins: Type.Array(Type.String(), { description: "Origins of the pages that may show the widget." }),
    require_identity: Type.Boolean({ description: "Whether a message needs a valid identity token." }),
    color: Type.String({ examples: ["#0f766e"] }),
    position: oneOf(WIDGET_POSITIONS),
    texts: Type.Record(Type.String(), WidgetTexts, {
      description: "Own texts by language tag. What is missing is the built-in text of the language, then of English.",
    }),
    ask_name: oneOf(WIDGET_QUESTIONS, {
      description: "`required` is asked before the first message is sent, `optional` after it.",
    }),
    ask_email: oneOf(WIDGET_QUESTIONS, {
      description: "`required` is asked before the first message is sent, `optional` after it.",
    }),
    collect_page: Type.Boolean({ description: "Whether a conversation shows the page of its first message." }),
    mailbox_id: nullableInteger("The mailbox that sends replies which the visitor has not seen."),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Widget" },
);
export type WidgetRecord = Static<typeof WidgetRecord>;

export const WidgetWithSecret = Type.Object(
  {
    ...WidgetRecord.properties,
    secret: Type.String({ description: "Signs identity tokens: `wis_` and base64 of 32 bytes." }),
  },
  { title: "WidgetWithSecret" },
);
