import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, dashboardApi } from "./client.ts";
import type { AlertSettings, AlertTest, TestAlertSettingsBody, UpdateAlertSettingBody } from "./dashboard-schema.ts";
import { alertSettingsKeys } from "./query-keys.ts";

export const useAlertSettings = () =>
  useQuery<AlertSettings, ApiError>({
    queryKey: alertSettingsKeys.all(),
    queryFn: () => dashboardApi("GET", "/alert-settings"),
  });

export function useChangeAlertSettings() {
  const client = useQueryClient();
  return useMutation<AlertSettings, ApiError, UpdateAlertSettingBody>({
    mutationFn: (body) => dashboardApi("PATCH", "/alert-settings", { body }),
    onSuccess: (settings) => client.setQueryData(alertSettingsKeys.all(), settings),
  });
}

export const useSendAlertTest = () =>
  useMutation<AlertTest, ApiError, TestAlertSettingsBody["channel"]>({
    mutationFn: (channel) => dashboardApi("POST", "/alert-settings/test", { body: { channel } }),
  });
