import { Type } from "typebox";
import { NullableInteger, NullableString, oneOf, Timestamp } from "../resources/common.ts";
import { ACTOR_TYPES } from "../resources/conversations.ts";
import { EVENT_TYPES } from "./catalogue.ts";

/** An event as every webhook, list and stream carries it. */
export const EventRecord = Type.Object(
  {
    id: Type.String({ description: "Equal to the `webhook-id` of its deliveries." }),
    type: oneOf(EVENT_TYPES),
    timestamp: Timestamp,
    data: Type.Record(Type.String(), Type.Unknown(), { description: "The resource as of the change." }),
    actor: Type.Object(
      { type: oneOf(ACTOR_TYPES), id: NullableInteger, name: NullableString },
      { description: "Who caused it.", title: "EventActor" },
    ),
  },
  { title: "Event" },
);
