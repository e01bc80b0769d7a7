import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { announcePresence, type Present } from "../../../api/presence.ts";
import { onPresenceChange } from "../../../live/presence-changes.ts";

const EVERY_MS = 4_000;
/** A user counts as writing for this long after the last key. */
const TYPING_MS = 5_000;

let typedAt = Number.NEGATIVE_INFINITY;
/** Grows when this user begins to write and when a message is sent: not with every key, because each is a request. */
let changes = 0;
const listeners = new Set<() => void>();

/** Called at each key pressed in the composer. */
export function noteTyping(): void {
  const wasTyping = isTyping();
  typedAt = performance.now();
  if (!wasTyping) noteChange();
}

export function noteSent(): void {
  typedAt = Number.NEGATIVE_INFINITY;
  noteChange();
}

function noteChange(): void {
  changes += 1;
  for (const listener of listeners) listener();
}

const isTyping = (): boolean => performance.now() - typedAt < TYPING_MS;

/**
 * Reports to the server that this conversation is open here, and learns who else has it open: every few seconds, and at once
 * when the stream reports a change. Nothing of it is stored. Hidden tabs report nothing.
 */
export function usePresence(conversation: number, isSending: boolean): Present[] {
  const [others, setOthers] = useState<Present[]>([]);
  const ownChanges = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => changes,
  );
  const latest = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: beginning to type and sending are announced at once
  useEffect(() => {
    const stop = new AbortController();
    const announce = async () => {
      if (document.visibilityState !== "visible") return;
      const turn = ++latest.current;
      const body = { conversation_id: conversation, typing: isTyping(), sending: isSending };
      const found = await announcePresence(body, { signal: stop.signal }).catch(() => null);
      // Without a response nothing is known: a user who was here a minute ago may have left.
      if (turn === latest.current && !stop.signal.aborted) setOthers(found ?? []);
    };
    void announce();
    const timer = setInterval(() => void announce(), EVERY_MS);
    const unsubscribe = onPresenceChange((changed) => void (changed.includes(conversation) && announce()));
    document.addEventListener("visibilitychange", announce, { signal: stop.signal });
    return () => {
      stop.abort();
      clearInterval(timer);
      unsubscribe();
    };
  }, [conversation, isSending, ownChanges]);
  return others;
}
