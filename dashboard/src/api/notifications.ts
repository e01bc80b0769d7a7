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

/** Shown at once, and sent one after the other: what is chosen while another choice is on its way is not lost. */
export function useChangeNotifications() {
  const client = useQueryClient();
  const queryKey = notificationKeys.settings();
  return useMutation<NotificationSettings, ApiError, UpdateNotificationBody>({
    mutationFn: (body) => dashboardApi("PATCH", "/me/notifications", { body }),
    scope: { id: "notifications" },
    onMutate: async (body) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData<NotificationSettings>(queryKey, (shown) => shown && { ...shown, ...body });
    },
    onSettled: () => {
      // Of several, the last: until then, what is stored lacks what is on its way.
      if (client.isMutating({ predicate: ({ options }) => options.scope?.id === "notifications" }) > 1) return;
      return Promise.all([
        client.invalidateQueries({ queryKey }),
        client.invalidateQueries({ queryKey: conversationKeys.unread() }),
      ]);
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
