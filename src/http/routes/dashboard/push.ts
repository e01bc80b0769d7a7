import { Type } from "typebox";
import { notFound, problems } from "../../../core/errors.ts";
import { keyProblems, subscribe, unsubscribe } from "../../../notify/subscriptions.ts";
import { createLimiter } from "../../../rate-limit/limiter.ts";
import { NullableString } from "../../../resources/common.ts";
import { tooMany } from "../../pipeline/access.ts";
import type { RouteOf } from "../../pipeline/route.ts";
import { route, type Services } from "./services.ts";
import { recordOwnChange, sessionOf } from "./signing-in.ts";

/** Per person and hour. */
const TESTS_MAX = 20;

const Subscribed = Type.Object({ subscribed: Type.Boolean() }, { title: "PushSubscribed" });

/** Browsers that get pushes. */
export const pushRoutes = [
  route({
    method: "POST",
    path: "/me/push-subscriptions",
    operationId: "subscribeToPushes",
    summary: "Send pushes to this browser",
    description: "It ends with the session: signing out in any way ends it.",
    access: "any",
    body: Type.Object({
      endpoint: Type.String({ maxLength: 2_048 }),
      keys: Type.Object({ p256dh: Type.String({ maxLength: 128 }), auth: Type.String({ maxLength: 64 }) }),
    }),
    success: { status: 201, data: Subscribed },
    check: async ({ body: { endpoint, keys }, caller }, { checkUrl }) => {
      const verdict = await checkUrl(endpoint ?? "", caller.workspaceId);
      return problems({ endpoint: verdict.ok ? [] : [verdict.message], ...keyProblems(keys) });
    },
    handler: ({ request, body: { endpoint, keys }, write }, { secretBox }) =>
      write(async (tx) => {
        if (await subscribe(tx, secretBox, sessionOf(request).id, { endpoint, keys }))
          // The host only: anyone who knows the address can send there.
          await recordOwnChange(tx, request, {
            action: "user.push_enabled",
            changes: { push_service: new URL(endpoint).host },
          });
        return { data: { subscribed: true } };
      }),
  }),
  route({
    method: "DELETE",
    path: "/me/push-subscriptions/{subscription}",
    operationId: "unsubscribeFromPushes",
    summary: "Send no more pushes to one of your browsers",
    access: "any",
    success: { status: 200, data: Subscribed },
    handler: ({ request, params, write }) =>
      write(async (tx) => {
        const { uuid } = params.subscription;
        if (uuid === undefined) throw notFound("push subscription");
        await unsubscribe(tx, sessionOf(request).user.id, uuid);
        await recordOwnChange(tx, request, { action: "user.push_disabled" });
        return { data: { subscribed: false } };
      }),
  }),
];

export function pushTestRoute(): RouteOf<Services> {
  const tests = createLimiter({ requests: TESTS_MAX, windowSeconds: 3_600 });
  return route({
    method: "POST",
    path: "/me/push-subscriptions/test",
    operationId: "testPushes",
    summary: "Send a test to this browser",
    access: "any",
    success: {
      status: 200,
      data: Type.Object({ sent: Type.Boolean(), error: NullableString }, { title: "PushTest" }),
    },
    waitsOutside: true,
    handler: async ({ caller: { workspaceId }, request }, { pushes }) => {
      const { id, user } = sessionOf(request);
      const verdict = await tests.consume(String(user.id));
      if (!verdict.allowed) throw tooMany(verdict, "Too many tests. Wait before sending another one.");
      try {
        const sent = await pushes.push.test(workspaceId, id);
        return { data: { sent, error: sent ? null : "This browser gets no pushes." } };
      } catch (error) {
        return { data: { sent: false, error: (error as Error).message } };
      }
    },
  });
}
