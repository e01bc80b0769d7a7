import { type Static, Type } from "typebox";
import { problems } from "../../../core/errors.ts";
import { EventRecord } from "../../../events/event-record.ts";
import { readMatchingEvents } from "../../../events/matching-reader.ts";
import { parseFilter } from "../../../events/payload-filter.ts";
import { optionalInteger } from "../../../resources/common.ts";
import { mayReadApiKeyEvents, subscribedTypes, subscriptionProblems } from "../../../webhooks/subscriptions.ts";
import { renderTemplate, TEMPLATE_TOO_LARGE } from "../../../webhooks/template.ts";
import { requireMaySubscribe } from "../../../webhooks/webhooks.ts";
import { route } from "./services.ts";
import { Controls, controlProblems } from "./webhook-controls.ts";
import { SubscribedEvents } from "./webhooks.ts";

const EXAMPLES_DEFAULT = 5;

const Preview = Type.Object(
  {
    matched: Type.Integer({ minimum: 0, description: "How many of them would have been sent." }),
    examined: Type.Integer({
      minimum: 0,
      description: "Events of the given types that were looked at, newest first, at most 10,000.",
    }),
    complete: Type.Boolean({ description: "False when there were more." }),
    examples: Type.Array(
      Type.Object({
        event: EventRecord,
        body: Type.Unsafe<unknown>({
          description: "The JSON value that would be sent.",
          examples: [{ content: "message.created: 31" }],
        }),
        error: Type.Optional(
          Type.String({
            description: "Only where nothing could be sent, because the body is too large; `body` is null then.",
            examples: [TEMPLATE_TOO_LARGE],
          }),
        ),
      }),
    ),
  },
  { title: "WebhookPreview" },
);

/** What these settings would have done with the stored events. Nothing is sent or stored. */
export const previewRoute = route({
  method: "POST",
  path: "/webhooks/preview",
  operationId: "previewWebhook",
  summary: "Try a filter and a template on the stored events",
  description: "What these settings would have sent, newest first. Nothing is sent or stored.",
  access: "webhooks:manage",
  onlyReads: true,
  body: Type.Object({
    events: SubscribedEvents,
    ...Controls,
    since: Type.Optional(
      Type.Unsafe<Date>({
        type: "string",
        format: "timestamp",
        description: "Only events since then; all that are stored by default.",
      }),
    ),
    limit: optionalInteger(0, 20, `Examples; ${EXAMPLES_DEFAULT} by default.`),
  }),
  success: { status: 200, data: Preview },
  check: ({ caller, body }) => {
    requireMaySubscribe(caller, body.events ?? []);
    return problems({ events: subscriptionProblems(body.events ?? []), ...controlProblems(body) });
  },
  handler: async ({ caller, body }, { db, sequencer }) => {
    await sequencer.catchUp();
    const parsed = body.filter ? parseFilter(body.filter) : null;
    const { events, matched, examined, hasMore } = await readMatchingEvents(db, caller.workspaceId, {
      order: "desc",
      after: null,
      types: subscribedTypes(body.events, { includesApiKeyEvents: mayReadApiKeyEvents(caller) }),
      filterPath: parsed?.ok ? parsed.path : null,
      limit: body.limit ?? EXAMPLES_DEFAULT,
      stopsAtLimit: false,
      createdAfter: body.since,
    });
    const examples = events.map(({ payload }) => exampleOf(body.template ?? null, JSON.parse(payload)));
    return { data: { matched, examined, complete: !hasMore, examples } };
  },
});

function exampleOf(template: unknown, event: Static<typeof EventRecord>) {
  if (template === null) return { event, body: event };
  const rendered = renderTemplate(template, event);
  return rendered ? { event, body: rendered.value } : { event, body: null, error: TEMPLATE_TOO_LARGE };
}
