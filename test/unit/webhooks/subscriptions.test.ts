import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_TYPES, subscriptionsTo } from "../../../src/events/catalogue.ts";
import { asksForApiKeyEvents, subscribedTypes, subscriptionProblems } from "../../../src/webhooks/subscriptions.ts";

const GROUPS = ["conversation.*", "message.*", "contact.*", "api_key.*", "webhook.*"];
const NAMES = [...EVENT_TYPES, ...GROUPS, "*"];

describe("subscriptions", () => {
  it("know every event, every group and *", () => {
    expect(subscriptionProblems(NAMES)).toEqual([]);
  });

  it.each([
    ["message.create", "message.created"],
    ["mesage.created", "message.created"],
    ["conversation_created", "conversation.created"],
    ["contact.update", "contact.updated"],
    ["messages.*", "message.*"],
    ["api_key.rotate", "api_key.rotated"],
  ])("suggest for %s the nearest, %s", (given, nearest) => {
    expect(subscriptionProblems(["*", given])).toEqual([
      `events[1] ("${given}") is not a known event. Did you mean ${nearest}?`,
    ]);
  });

  it.each(["", " ", "bogus.*", "payment_intent.succeeded"])(
    "suggest nothing for %j, which is far from every name",
    (given) => {
      expect(subscriptionProblems([given])).toEqual([`events[0] ("${given}") is not a known event.`]);
    },
  );

  it("never throw, and report exactly the names that are not events", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...NAMES))), (names) => {
        const unknown = names.filter((name) => !NAMES.includes(name));
        expect(subscriptionProblems(names)).toHaveLength(unknown.length);
      }),
    );
  });

  it("match what the fan-out sends: the two tables agree for every type", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...NAMES)), fc.boolean(), (names, includesApiKeyEvents) => {
        const subscribed = subscribedTypes(names, { includesApiKeyEvents });
        for (const type of EVENT_TYPES) {
          const sent =
            type !== "webhook.test" &&
            (includesApiKeyEvents || !type.startsWith("api_key.")) &&
            subscriptionsTo(type).some((name) => names.includes(name));
          expect(subscribed.includes(type), `${type} of ${names}`).toBe(sent);
        }
      }),
    );
  });

  it("ask for key events by name or group, not by *", () => {
    expect(asksForApiKeyEvents(["api_key.created"])).toBe(true);
    expect(asksForApiKeyEvents(["message.*", "api_key.*"])).toBe(true);
    expect(asksForApiKeyEvents(["*"])).toBe(false);
  });
});
