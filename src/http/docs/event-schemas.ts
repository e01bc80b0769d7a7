import { Type } from "typebox";
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from "../../events/catalogue.ts";
import { EventRecord } from "../../events/event-record.ts";

/** `message.created` → `MessageCreatedEvent`. */
const schemaName = (type: EventType): string =>
  `${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}Event`;

const reference = (type: EventType): { $ref: string } => ({ $ref: `#/components/schemas/${schemaName(type)}` });

/** One schema per event, with the type as a constant and its own `data`. */
export const eventSchemas = () =>
  EVENT_TYPES.map((type) =>
    Type.Object(
      { ...EventRecord.properties, type: Type.Literal(type), data: EVENT_CATALOGUE[type].data },
      { title: schemaName(type), description: EVENT_CATALOGUE[type].about },
    ),
  );

/**
 * `Event` as clients should see it. The routes serialise with one loose record instead: choosing a branch of the union
 * would validate each event again on its way out.
 */
export const eventUnion = () => ({
  title: "Event",
  oneOf: EVENT_TYPES.map(reference),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, reference(type).$ref])),
  },
});

/** The `webhooks` section: what a receiver is sent, one entry per event. */
export const describeWebhooks = () =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `on${schemaName(type).replace(/Event$/, "")}`,
          tags: ["Events"],
          summary: EVENT_CATALOGUE[type].about,
          security: [],
          parameters: SIGNATURE_HEADERS,
          requestBody: { required: true, content: { "application/json": { schema: reference(type) } } },
          responses: {
            "2XX": { description: "Delivered. Anything else is retried on the webhook's schedule." },
            "410": { description: "Gone: the webhook is disabled." },
          },
        },
      },
    ]),
  );

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

const SIGNATURE_HEADERS = [
  header("webhook-id", "The event's id: the same on every attempt."),
  header("webhook-timestamp", "Unix seconds of the attempt."),
  header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, one per valid secret, separated by spaces.",
  ),
];
