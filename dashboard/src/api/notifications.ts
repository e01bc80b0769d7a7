import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ApiError, dashboardApi } from "./client.ts";
import type { NotificationSettings, PushTest, UnreadOfPerson, UpdateNotificationBody } from "./dashboard-schema.ts";
import { conversationKeys, notificationKeys } from "./query-keys.ts";

export type { NotificationSettings } from "./dashboard-schema.ts";

export const useNotificationSettings = () =>
  useQuery<NotificationSettings, ApiError>({
    queryKey: notificationKeys.settings(),
    queryFn: ({ signal }) => dashboardApi("GET", "/me/notifications", { signal }),
  });

/** In how many conversations something waits for this person. Read again with the counts of the views. */
export const useUnread = ({ enabled }: { enabled: boolean }) =>
  useQuery<UnreadOfPerson, ApiError>({
    queryKey: conversationKeys.unread(),
    queryFn: ({ signal }) => dashboardApi("GET", "/me/unread", { signal }),
    enabled,
    refetchInterval: 60_000,
  });

export function useChangeNotifications() {
  const client = useQueryClient();
  return useMutation<NotificationSettings, ApiError, UpdateNotificationBody>({
    mutationFn: (body) => dashboardApi("PATCH", "/me/notifications", { body }),
    onSuccess: (settings) => {
      client.setQueryData(notificationKeys.settings(), settings);
      return client.invalidateQueries({ queryKey: conversationKeys.unread() });
    },
  });
}

export const useTestPush = () =>
  useMutation<PushTest, ApiError, void>({ mutationFn: () => dashboardApi("POST", "/me/push-subscriptions/test") });

/** What this browser does and what the server sends change together. */
export function useBrowserChange<Result>(run: () => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, Error, void>({
    mutationFn: run,
    onSettled: () => client.invalidateQueries({ queryKey: notificationKeys.settings() }),
  });
}
