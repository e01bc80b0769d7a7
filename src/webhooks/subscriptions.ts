import { closest } from "fastest-levenshtein";
import { coveredTypes, EVENT_TYPES } from "../events/catalogue.ts";

const GROUPS = [...new Set(EVENT_TYPES.map((type) => `${type.split(".")[0]}.*`))];
const NAMES = [...EVENT_TYPES, ...GROUPS, "*"];

/** Sentences about names that are no event, each with the nearest that is. */
export const subscriptionProblems = (names: readonly string[]): string[] =>
  names.flatMap((name, index) =>
    NAMES.includes(name)
      ? []
      : [`events[${index}] (${JSON.stringify(name.slice(0, 64))}) is no event. Did you mean ${closest(name, NAMES)}?`],
  );

/** Named one by one or as their group: what `*` covers is not asked for by name. */
export const asksForKeyEvents = (names: readonly string[]): boolean =>
  names.some((name) => name.startsWith("api_key."));

/** The events that reach a webhook with these subscriptions, of those that are announced at all. */
export const heardTypes = (names: readonly string[], hearsApiKeys: boolean): string[] =>
  coveredTypes(names).filter((type) => type !== "webhook.test" && (hearsApiKeys || !type.startsWith("api_key.")));
