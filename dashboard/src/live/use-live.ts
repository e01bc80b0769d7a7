import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Session } from "../api/session.ts";
import { PAGE_ID } from "../lib/random-id.ts";
import { closeShown } from "../notify/later.ts";
import { toastMention } from "../notify/mention-toast.ts";
import { isTakenByAnother, receiveForNotices } from "../notify/notices.ts";
import { startLiveHub } from "./hub.ts";
import { createInvalidator, readAgain } from "./invalidate.ts";
import { applyEvent, applyOwnChange, isLiveKey } from "./patches.ts";
import { liveStatus } from "./poll-interval.ts";
import type { LiveState } from "./tab.ts";

const stateListeners = new Set<() => void>();

function setState(next: LiveState): void {
  liveStatus.state = next;
  for (const listener of stateListeners) listener();
}

/** Only for the first workspace of a page load is the session certain to be older than everything that is cached. */
let isFirstHub = true;

/** Once, around the pages of a workspace. Before a required second factor is set up, the server would refuse the stream. */
export function useLiveUpdates({ user, workspace: { id: workspace }, events_cursor, ...session }: Session): void {
  const client = useQueryClient();
  const userId = user.id;
  const isRefused = session.two_factor_needed;
  const startAt = useRef(events_cursor ?? null);
  useEffect(() => {
    if (isRefused) {
      setState({ kind: "unavailable" });
      return;
    }
    const invalidator = createInvalidator(client);
    setState({ kind: "connecting" });
    const hub = startLiveHub({
      workspace,
      userId,
      startAt: isFirstHub ? startAt.current : null,
      onState: setState,
      onEvent(event) {
        liveStatus.lastEventAt = Date.now();
        applyEvent({ client, event, invalidate: invalidator.add });
        toastMention(event, { userId, workspace });
      },
      onRead(event) {
        receiveForNotices(userId, event);
        if (isTakenByAnother(userId, event))
          closeShown(`${workspace}:${(event.data as { id: number }).id}`, "unassigned");
      },
      onOwnChange({ conversation, origin }) {
        if (origin !== PAGE_ID) applyOwnChange(conversation, invalidator.add);
      },
      onGap: () =>
        readAgain(client, {
          predicate: ({ queryKey, state }) =>
            isLiveKey(queryKey) && (state.dataUpdateCount > 0 || state.fetchStatus === "fetching"),
        }),
    });
    isFirstHub = false;
    return () => {
      hub.close();
      invalidator.close();
    };
  }, [client, workspace, userId, isRefused]);
}

export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (listener) => {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    () => liveStatus.state,
  );
