import { Type } from "typebox";
import { problems } from "../../../core/errors.ts";
import { NOTICE_REASONS, noticesFor } from "../../../notify/decide.ts";
import { changeNotificationSettings, readNotificationSettings } from "../../../notify/settings.ts";
import { listSubscribed } from "../../../notify/subscriptions.ts";
import { countUnreadOf } from "../../../notify/unread.ts";
import { Id, NullableString, oneOf, Timestamp, Uuid } from "../../../resources/common.ts";
import { timeZoneProblems } from "../v1/transcript.ts";
import { route, type Services } from "./services.ts";
import { sessionOf } from "./signing-in.ts";

/** Messages that one request asks about: those that arrived within a moment. */
const ARRIVALS_MAX = 100;

const TIME = { pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" };
const QUIET_HOURS = {
  type: ["object", "null"],
  "x-null": true,
  properties: { from: Type.String(TIME), to: Type.String(TIME), time_zone: Type.String({ maxLength: 64 }) },
  required: ["from", "to", "time_zone"],
  additionalProperties: false,
  description: "No push and no sound between these local times, written as `HH:MM`; null: at any hour.",
};
const CHOICES = {
  assigned: Type.Boolean({ description: "Messages in conversations that are assigned to you." }),
  unassigned: Type.Boolean({ description: "Customers' messages in conversations that nobody has." }),
  mentions: Type.Boolean({ description: "Notes that mention you, and what follows in those conversations." }),
  mention_mail: Type.Boolean({ description: "An e-mail about such a note if you have been away for ten minutes." }),
  sound: Type.Boolean(),
  quiet_hours: Type.Unsafe<{ from: string; to: string; time_zone: string } | null>(QUIET_HOURS),
};

const NotificationSettings = Type.Object(
  {
    ...CHOICES,
    email_available: Type.Boolean({ description: "A mail server is configured." }),
    push_key: Type.String({ description: "What a browser subscribes to pushes with." }),
    browsers: Type.Array(
      Type.Object(
        {
          id: Uuid,
          push_service: Type.String({ description: "Its host." }),
          user_agent: NullableString,
          current: Type.Boolean({ description: "The browser of this request." }),
          created_at: Timestamp,
        },
        { title: "SubscribedBrowser" },
      ),
      { description: "Your browsers that get pushes, in every workspace." },
    ),
  },
  { title: "NotificationSettings" },
);

const Notice = Type.Object(
  {
    conversation_id: Id,
    seq: Type.Integer(),
    reason: oneOf(NOTICE_REASONS, { title: "NoticeReason" }),
    read_seq: Type.Integer({ description: "Up to which message you have read the conversation." }),
  },
  { title: "Notice" },
);

/** What a person is notified of. */
export const notificationRoutes = [
  route({
    method: "GET",
    path: "/me/notifications",
    summary: "What you are notified of in this workspace",
    access: "any",
    success: { status: 200, data: NotificationSettings },
    handler: async ({ caller, request }, services) => ({
      data: await settingsOf(services, request, caller.workspaceId),
    }),
  }),
  route({
    method: "PATCH",
    path: "/me/notifications",
    summary: "Choose what you are notified of",
    access: "any",
    body: Type.Partial(Type.Object(CHOICES)),
    success: { status: 200, data: NotificationSettings },
    check: ({ body }) => problems({ quiet_hours: timeZoneProblems(body.quiet_hours?.time_zone) }),
    handler: async ({ caller, request, body, write }, services) => {
      await write(async (tx) => {
        const { user } = sessionOf(request);
        return { data: await changeNotificationSettings(tx, caller, user.id, body) };
      });
      return { data: await settingsOf(services, request, caller.workspaceId) };
    },
  }),
  route({
    method: "GET",
    path: "/me/unread",
    summary: "How many open conversations have something unread that you are notified of",
    access: "conversations:read",
    success: { status: 200, data: Type.Object({ conversations: Type.Integer() }, { title: "UnreadOfPerson" }) },
    handler: async ({ caller: { workspaceId }, request }, { db }) => ({
      data: { conversations: await countUnreadOf(db, { workspaceId, userId: sessionOf(request).user.id }) },
    }),
  }),
  route({
    method: "POST",
    path: "/me/notices",
    summary: "Which of these messages call you",
    description: "For a page that is open, which has just received them. Nothing is stored.",
    access: "conversations:read",
    body: Type.Object({
      messages: Type.Array(
        Type.Object({ conversation_id: Id, seq: Type.Integer({ minimum: 1 }), from_contact: Type.Boolean() }),
        { maxItems: ARRIVALS_MAX },
      ),
    }),
    success: { status: 200, data: Type.Array(Notice) },
    handler: async ({ caller: { workspaceId }, request, body }, { db }) => {
      const arrivals = body.messages.map((message) => ({ ...message, author_id: null }));
      return { data: await noticesFor(db, { workspaceId, userId: sessionOf(request).user.id }, arrivals) };
    },
  }),
];

type Reader = Parameters<typeof sessionOf>[0];

async function settingsOf({ db, pushes, notices }: Services, request: Reader, workspaceId: number) {
  const { id, user } = sessionOf(request);
  const settings = await readNotificationSettings(db, { workspaceId, userId: user.id });
  const browsers = (await listSubscribed(db, user.id)).map((browser) => ({
    id: browser.uuid,
    push_service: browser.host,
    user_agent: browser.user_agent,
    current: browser.session_id === id,
    created_at: browser.created_at,
  }));
  return { ...settings, email_available: notices !== null, push_key: pushes.publicKey, browsers };
}
