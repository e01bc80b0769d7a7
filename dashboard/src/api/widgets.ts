import type { CreateWidgetBody, UpdateWidgetBody, Widget, WidgetWithSecret } from "@parley/client";
import { useQuery } from "@tanstack/react-query";
import { type ApiError, api, dashboardApi } from "./client.ts";
import type { WidgetInstallation } from "./dashboard-schema.ts";
import { widgetKeys } from "./query-keys.ts";
import { useDeleteRecord, useRecord, useRecords, useUpdateRecord } from "./records.ts";
import { useChange } from "./use-change.ts";

export type { UpdateWidgetBody, Widget } from "@parley/client";

export const widgetHref = (id: number | string): string => `/settings/widgets/${id}`;
export const widgetPath = (id: number | string): string => `/widgets/${encodeURIComponent(id)}`;

export const useWidgets = () => useRecords<Widget>("/widgets", widgetKeys.list());

export const useWidget = (id: string) => useRecord<Widget>(widgetPath(id), widgetKeys.detail(id));

/** Where the latest conversation began. Asked again each time it is shown. */
export const useInstallation = (id: number) =>
  useQuery<WidgetInstallation, ApiError>({
    queryKey: widgetKeys.installation(id),
    queryFn: ({ signal }) => dashboardApi("GET", `/widgets/${id}/installation`, { signal }),
    staleTime: 0,
    refetchInterval: 10_000,
  });

export const useCreateWidget = () =>
  useChange((body: CreateWidgetBody) => api<WidgetWithSecret>("POST", "/widgets", { body }), widgetKeys.list());

export const useUpdateWidget = (id: number) =>
  useUpdateRecord<Widget, UpdateWidgetBody>(widgetPath(id), widgetKeys.list());

export const useDeleteWidget = (id: number) => useDeleteRecord<Widget>(widgetPath(id), widgetKeys.list());
