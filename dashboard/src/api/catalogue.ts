import type { ApiKey, EventType } from "@parley/client";
import { useQuery } from "@tanstack/react-query";
import { t } from "../lib/texts.ts";
import { type ApiError, api, dashboardApi } from "./client.ts";
import type { Catalogue } from "./dashboard-schema.ts";
import { catalogueKeys } from "./query-keys.ts";

export type { EventType } from "@parley/client";
export type { Catalogue } from "./dashboard-schema.ts";
export type KeyType = ApiKey["type"];

/** What this installation offers: it changes only with a new version or a restart. */
export const useCatalogue = () =>
  useQuery<Catalogue, ApiError>({
    queryKey: catalogueKeys.settings(),
    queryFn: ({ signal }) => dashboardApi("GET", "/catalogue", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useEventTypes = () =>
  useQuery<EventType[], ApiError>({
    queryKey: catalogueKeys.eventTypes(),
    queryFn: ({ signal }) => api("GET", "/event-types", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

const keyTypeIn = (catalogue: Catalogue | undefined, type: KeyType) =>
  catalogue?.key_types.find((one) => one.type === type);

/** While the catalogue loads, nothing is known. */
export const scopesOfType = (catalogue: Catalogue | undefined, type: KeyType): readonly string[] =>
  keyTypeIn(catalogue, type)?.scopes ?? [];

/** The single scopes of a key, in the order of the catalogue, which says what each ability comes to. */
export function scopesOfKey(
  catalogue: Catalogue | undefined,
  { type, abilities }: Pick<ApiKey, "type" | "abilities">,
): string[] {
  const held = keyTypeIn(catalogue, type)?.abilities.filter(({ name }) => abilities.includes(name)) ?? [];
  const scopes = new Set<string>(held.flatMap((ability) => ability.scopes));
  return scopesOfType(catalogue, type).filter((scope) => scopes.has(scope));
}

/** What the pages say about each type; what it may hold comes from the server. */
export const KEY_TYPES: Record<KeyType, { title: string; sentence: string }> = {
  limited: {
    title: t("Limited"),
    sentence: t("Only the abilities you select. The right choice for a script, an integration or a teammate."),
  },
  full: {
    title: t("Full"),
    sentence: t("Can do everything in this workspace, including managing keys. Keep it on servers you trust."),
  },
  webhook: {
    title: t("Webhook"),
    sentence: t("Manages webhooks and reads events. For connectors that subscribe on your behalf."),
  },
  bot: {
    title: t("Bot"),
    sentence: t("Reads and writes conversations and messages, as an assistant does. No settings."),
  },
};
