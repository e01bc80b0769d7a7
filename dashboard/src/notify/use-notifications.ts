import { useEffect } from "react";
import { useLocation } from "wouter";
import { useUnread } from "../api/notifications.ts";
import type { Session } from "../api/session.ts";
import { setUnreadInTitle } from "../lib/use-page-title.ts";
import { setUnreadInIcon } from "./icon.ts";
import { browserPart, closeShown } from "./later.ts";
import { onArrivals } from "./notices.ts";

const IDLE_MS_MAX = 5_000;

/** Once, around the pages of a workspace: the number in title and icon, and what calls the person. */
export function useNotifications({ user, workspace: { id, name }, two_factor_needed: isRefused }: Session): void {
  const userId = user.id;
  useUnreadNumber(!isRefused);
  useEffect(() => {
    if (isRefused) return;
    const stop = onArrivals((messages) => {
      import("./call.ts")
        .then(({ callAbout }) => callAbout(messages, { userId, workspace: { id, name } }))
        // Without a connection there is nothing to say either.
        .catch(() => {});
    });
    const cancel = whenIdle(() => {
      browserPart()
        .then((part) => part.renew(userId))
        .catch(() => {});
    });
    return () => {
      stop();
      cancel();
    };
  }, [userId, id, name, isRefused]);
  useConversationInFront();
  useLinksOfNotifications();
}

function useUnreadNumber(enabled: boolean): void {
  const count = useUnread({ enabled }).data?.conversations ?? 0;
  useEffect(() => {
    setUnreadInTitle(count);
    // Without a connection it stays as it is.
    setUnreadInIcon(count).catch(() => {});
    if ("setAppBadge" in navigator)
      browserPart()
        .then((part) => part.setBadge(count))
        .catch(() => {});
  }, [count]);
  useEffect(
    () => () => {
      setUnreadInTitle(0);
      void setUnreadInIcon(0);
    },
    [],
  );
}

/** What was shown about a conversation goes when it is opened, here or by a person who comes back to it. */
function useConversationInFront(): void {
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another conversation
  useEffect(() => {
    closeInFront();
    document.addEventListener("visibilitychange", closeInFront);
    return () => document.removeEventListener("visibilitychange", closeInFront);
  }, [path]);
}

function closeInFront(): void {
  const [, workspace, conversation] = /^\/w\/(\d+)\/inbox\/(\d+)/.exec(location.pathname) ?? [];
  if (conversation !== undefined && document.visibilityState === "visible") closeShown(`${workspace}:${conversation}`);
}

/** The worker asks what is in front, and says where a notification that was clicked leads. */
function useLinksOfNotifications(): void {
  useEffect(() => {
    const workers = navigator.serviceWorker;
    if (!workers) return;
    const receive = ({ data, ports }: MessageEvent<{ kind: string; href: string }>) => {
      if (data?.kind === "is-open") {
        const isOpen = document.visibilityState === "visible" && location.pathname === data.href;
        ports[0]?.postMessage(isOpen);
        // Asked long ago, of a page that was busy: it may be shown by now.
        if (isOpen) closeInFront();
      }
      if (data?.kind === "open") history.pushState(null, "", data.href);
    };
    workers.addEventListener("message", receive);
    workers.startMessages();
    return () => workers.removeEventListener("message", receive);
  }, []);
}

function whenIdle(run: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run, IDLE_MS_MAX);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(run, { timeout: IDLE_MS_MAX });
  return () => cancelIdleCallback(request);
}
