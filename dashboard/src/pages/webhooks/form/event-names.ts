import type { EventType } from "../../../api/catalogue.ts";
import { t } from "../../../lib/texts.ts";
import { EVENT_TEXTS } from "./event-texts.ts";

export interface EventGroup {
  /** `message` */
  name: string;
  events: EventType[];
}

const TITLES: Record<string, string> = {
  conversation: t("Conversations"),
  message: t("Messages"),
  draft: t("Drafts"),
  contact: t("Contacts"),
  api_key: t("API keys"),
  webhook: t("Webhooks"),
};

export const groupTitle = (name: string): string =>
  TITLES[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}s`;

/** By the part before the dot, in the catalogue's order. `webhook.test` is left out: it comes when asked for, subscribed or not. */
export function groupsOf(catalogue: readonly EventType[], search: string): EventGroup[] {
  const groups = new Map<string, EventType[]>();
  const wanted = search.trim().toLowerCase();
  for (const known of catalogue) {
    const event = { ...known, description: EVENT_TEXTS[known.name] ?? known.description };
    if (event.name === "webhook.test") continue;
    if (wanted !== "" && !`${event.name} ${event.description}`.toLowerCase().includes(wanted)) continue;
    const group = event.name.split(".")[0] ?? event.name;
    groups.set(group, [...(groups.get(group) ?? []), event]);
  }
  return [...groups].map(([name, events]) => ({ name, events }));
}

interface Selection {
  selected: boolean;
}

export const withEvent = (names: readonly string[], name: string, { selected }: Selection): string[] =>
  selected ? [...names.filter((one) => one !== name), name] : names.filter((one) => one !== name);

/** A whole group takes the place of its single events. */
export const withGroup = (names: readonly string[], group: string, { selected }: Selection): string[] => {
  const others = names.filter((name) => !name.startsWith(`${group}.`));
  return selected ? [...others, `${group}.*`] : others;
};
