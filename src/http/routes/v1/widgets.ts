import { Type } from "typebox";
import type { Caller } from "../../../core/caller.ts";
import { NAME_PATTERN } from "../../../core/control-characters.ts";
import { problems } from "../../../core/errors.ts";
import {
  WIDGET_POSITIONS,
  WIDGET_QUESTIONS,
  WidgetRecord,
  type WidgetTexts,
  WidgetWithSecret,
} from "../../../resources/widget.ts";
import { mailboxProblems } from "../../../widgets/mailbox.ts";
import { languageProblems, originProblems, type WidgetInput } from "../../../widgets/widget-fields.ts";
import { widgetReader } from "../../../widgets/widget-list.ts";
import {
  createWidget,
  deleteWidget,
  findWidget,
  lockWidget,
  patchWidget,
  revealIdentitySecret,
  rotateIdentitySecret,
} from "../../../widgets/widgets.ts";
import { PageQuery, readPage } from "../../pipeline/paging.ts";
import { API_BASE } from "../../pipeline/route.ts";
import { IF_MATCH, requireMatch, withEtag } from "../../pipeline/versions.ts";
import { choiceOrDefault, orDefault } from "./or-default.ts";
import { route, type Services } from "./services.ts";

const access = "widgets:manage";
const ITEM = "/widgets/{widget}";
const TEXT_CHARS_MAX = 500;
const LANGUAGES_MAX = 50;
const OVERLAP_SECONDS_DEFAULT = 86_400;

const Text = Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: TEXT_CHARS_MAX }));
const Texts = Type.Object({ title: Text, greeting: Text, launcher: Text, placeholder: Text });
type TextsInput = Record<string, { [Name in keyof WidgetTexts]?: string | null } | null>;

const FIELDS = {
  name: Type.String({ trim: true, "x-null": true, minLength: 1, maxLength: 255, pattern: NAME_PATTERN }),
  is_active: orDefault<boolean>("boolean", {
    description: "True by default. False: the page shows nothing, and messages are refused.",
  }),
  allowed_origins: Type.Array(Type.String({ maxLength: 300 }), {
    "x-null": true,
    minItems: 1,
    maxItems: 50,
    description: "Exact origins such as `https://shop.example`; `http` only for localhost and loopback addresses.",
    examples: [["https://shop.example"]],
  }),
  require_identity: orDefault<boolean>("boolean", {
    description: "False by default. True: no message without a valid identity token.",
  }),
  color: orDefault<string>("string", { format: "color", description: "`#rrggbb`; `#0f766e` by default." }),
  position: choiceOrDefault(WIDGET_POSITIONS, "`right` by default."),
  texts: orDefault<TextsInput>("object", {
    maxProperties: LANGUAGES_MAX,
    additionalProperties: { ...Texts, type: ["object", "null"] },
    description: `From a language tag to own texts: \`title\`, \`greeting\`, \`launcher\`, \`placeholder\`, each at most ${TEXT_CHARS_MAX} characters. At most ${LANGUAGES_MAX} languages.`,
  }),
  ask_name: choiceOrDefault(WIDGET_QUESTIONS, "`no` by default."),
  ask_email: choiceOrDefault(WIDGET_QUESTIONS, "`optional` by default."),
  collect_page: orDefault<boolean>("boolean", {
    description: "True by default: a conversation shows the page and browser of its first message.",
  }),
  mailbox_id: orDefault<number | string>(["integer", "string"], {
    description: "Null, or the mailbox that sends replies which the visitor has not seen.",
  }),
};

const Overlap = Type.Object({
  overlap_seconds: orDefault<number>("integer", {
    minimum: 0,
    maximum: 604_800,
    description: "How long tokens of the old secret stay valid; 86,400 by default.",
  }),
});

interface CheckContext {
  caller: Caller;
  body: WidgetInput;
}

const check = async ({ caller: { workspaceId }, body }: CheckContext, { db }: Pick<Services, "db">) =>
  problems({
    allowed_origins: originProblems(body.allowed_origins ?? []),
    texts: languageProblems(body.texts),
    mailbox_id: await mailboxProblems(db, workspaceId, body.mailbox_id),
  });

export const widgetRoutes = [
  route({
    method: "GET",
    path: "/widgets",
    summary: "List widgets",
    description: "Newest first.",
    access,
    query: Type.Object({ is_active: Type.Optional(Type.Boolean()), ...PageQuery }),
    success: { status: 200, data: Type.Array(WidgetRecord), paged: "always" },
    handler: ({ caller, query }, { db }) =>
      readPage(widgetReader(db, caller.workspaceId, query), query, `${API_BASE}/widgets`),
  }),
  route({
    method: "POST",
    path: "/widgets",
    summary: "Create a widget",
    description: "Its `public_id` goes into the page. Its `secret` signs identity tokens and stays on your server.",
    access,
    body: Type.Object(FIELDS),
    success: { status: 201, data: WidgetWithSecret },
    check,
    handler: ({ caller, body, write }, { secretBox }) =>
      write(async (tx) => ({ data: await createWidget(tx, secretBox, caller, body) })),
  }),
  route({
    method: "GET",
    path: ITEM,
    summary: "Get a widget",
    access,
    success: { status: 200, data: WidgetRecord },
    handler: async ({ caller, params, reply }, { db }) => ({
      data: withEtag(reply, await findWidget(db, caller.workspaceId, params.widget)),
    }),
  }),
  route({
    method: "PATCH",
    path: ITEM,
    summary: "Change a widget",
    description: `Only the given fields are changed; null restores a default. Pages show the change within a minute. ${IF_MATCH}`,
    access,
    body: Type.Partial(Type.Object(FIELDS)),
    errors: ["PRECONDITION_FAILED"],
    success: { status: 200, data: WidgetRecord },
    exists: ({ caller, params }, { db }) => findWidget(db, caller.workspaceId, params.widget),
    check,
    handler: ({ caller, params, body, request, reply, write }) =>
      write(async (tx) => {
        await requireMatch(request, () => lockWidget(tx, caller.workspaceId, params.widget));
        return { data: withEtag(reply, await patchWidget(tx, caller, params.widget, body)) };
      }),
  }),
  route({
    method: "DELETE",
    path: ITEM,
    summary: "Delete a widget",
    description: "Its conversations stay. Visitors can neither read nor write through it any more.",
    access,
    success: { status: 200, data: WidgetRecord },
    handler: ({ caller, params, write }) =>
      write(async (tx) => ({ data: await deleteWidget(tx, caller, params.widget) })),
  }),
  route({
    method: "GET",
    path: `${ITEM}/secret`,
    summary: "Read the identity secret",
    description: "Each read is recorded in the audit log.",
    access,
    success: { status: 200, data: Type.Object({ secret: Type.String() }) },
    handler: ({ caller, params, write }, { secretBox }) =>
      write(async (tx) => ({ data: { secret: await revealIdentitySecret(tx, secretBox, caller, params.widget) } })),
  }),
  route({
    method: "POST",
    path: `${ITEM}/rotate-secret`,
    summary: "Rotate the identity secret of a widget",
    description: "Until the overlap ends, tokens that the old secret has signed are valid too.",
    access,
    body: Overlap,
    success: { status: 200, data: WidgetWithSecret },
    exists: ({ caller, params }, { db }) => findWidget(db, caller.workspaceId, params.widget),
    handler: ({ caller, params, body, write }, { secretBox }) => {
      const rotation = { ref: params.widget, overlapSeconds: body.overlap_seconds ?? OVERLAP_SECONDS_DEFAULT };
      return write(async (tx) => ({ data: await rotateIdentitySecret(tx, secretBox, caller, rotation) }));
    },
  }),
];
