import { type Static, Type } from "typebox";
import { EVENT_FILTER, NullableTimestamp, Timestamp } from "./common.ts";

export const ConsumerRecord = Type.Object(
  {
    name: Type.String(),
    types: Type.Unsafe<string[] | null>({
      type: ["array", "null"],
      items: { type: "string", "x-event-pattern": true },
      description: "Event names and groups; null: every event that its creator may see.",
    }),
    filter: Type.Unsafe<Record<string, unknown> | null>({
      type: ["object", "null"],
      additionalProperties: true,
      ...EVENT_FILTER,
      description: "Which of them; null: all.",
    }),
    cursor: Type.String({ description: "The acknowledged position, as `GET /events` writes it." }),
    lag: Type.Object(
      {
        events: Type.Integer({ minimum: 0, description: "Matching events among the next 10,000." }),
        complete: Type.Boolean({ description: "False when there are more than were looked at." }),
        oldest_at: NullableTimestamp,
      },
      { title: "ConsumerLag" },
    ),
    missed: Type.Boolean({
      description: "Whether events that it had not acknowledged were deleted by retention, until it is reset.",
    }),
    last_read_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Consumer" },
);
export type ConsumerRecord = Static<typeof ConsumerRecord>;
