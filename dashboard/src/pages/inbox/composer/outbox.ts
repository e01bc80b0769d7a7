import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import type { Message } from "../../../api/messages.ts";
import { useSession } from "../../../api/session.ts";
import { registerOwnWork } from "../../../lib/own-work.ts";
import { randomId } from "../../../lib/random-id.ts";
import { workspaceInUrl } from "../../../lib/workspace.ts";
import type { SentDraft } from "./draft-store.ts";
import { effects } from "./effects.ts";
import {
  EMPTY_OUTBOX,
  type OutboxEvent,
  type OutboxState,
  type OutgoingMessage,
  outboxReducer,
} from "./outbox-state.ts";
import { pagesWithCopies } from "./unsent-copies.ts";

export type { OutgoingMessage } from "./outbox-state.ts";

/** What the composer hands over. */
export type ComposedMessage = Pick<
  OutgoingMessage,
  "body" | "private" | "files" | "email" | "suggestion" | "author" | "conversation" | "seenSeq"
>;

/** What follows when a message has been accepted or deleted. */
interface FollowUp {
  /** Of one that comes from a page which was closed, the server has whatever it has. */
  draft?: SentDraft;
  /** Of a suggestion: the server would still send the text that was shown. */
  isCurrent?: () => boolean;
}

/**
 * The replies of this page that the server does not have yet. They outlive the page of the inbox: whatever is open when
 * their time comes, they are sent. What is done with them is in `outbox-effects.ts`, which is loaded when the page is used.
 */
export interface Outbox {
  client: QueryClient;
  read: () => OutboxState;
  dispatch: (event: OutboxEvent) => void;
  subscribe: (listener: () => void) => () => void;
  followUps: Map<string, FollowUp>;
}

const LOADED_AFTER_MS = 10_000;
const LOAD_AGAIN_MS = 3_000;
const outboxes = new WeakMap<QueryClient, Outbox>();

function outboxOf(client: QueryClient): Outbox {
  const known = outboxes.get(client);
  if (known) return known;
  let state = EMPTY_OUTBOX;
  const listeners = new Set<() => void>();
  const outbox: Outbox = {
    client,
    followUps: new Map(),
    read: () => state,
    dispatch(event) {
      state = outboxReducer(state, event);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  outboxes.set(client, outbox);
  registerOwnWork({
    finish: () => effects.run((effect) => effect.outbox.sendEverything(outbox)),
    left: () => state.entries.length,
    forget: () => outbox.dispatch({ type: "forgotten" }),
  });
  return outbox;
}

export const useOutbox = (): Outbox => outboxOf(useQueryClient());

const useOutboxState = (): OutboxState => {
  const { subscribe, read } = useOutbox();
  return useSyncExternalStore(subscribe, read);
};

/** Shows the message at once and sends it when the time to take it back is over. Returns its key. */
export function queueMessage(
  outbox: Outbox,
  composed: ComposedMessage,
  { resolve, ...followUp }: FollowUp & { resolve: boolean },
): string {
  const message: OutgoingMessage = {
    ...composed,
    resolve,
    key: randomId(),
    workspace: workspaceInUrl(),
    createdAt: new Date().toISOString(),
    state: "held",
    isTried: false,
    error: null,
  };
  outbox.followUps.set(message.key, followUp);
  outbox.dispatch({ type: "queued", message });
  effects
    .run((effect) => effect.outbox.holdThenSend(outbox, message))
    .catch(() => {
      outbox.dispatch({ type: "waiting", key: message.key });
      run((effect) => effect.watchAndSend(outbox, message.key));
    });
  return message.key;
}

/** Where its code cannot be loaded, the messages stay as they are until it can. */
function run(call: (effect: typeof import("./outbox-effects.ts")) => unknown): void {
  effects
    .run(({ outbox }) => call(outbox))
    .catch(() => {
      const again = () => {
        clearTimeout(timer);
        window.removeEventListener("online", again);
        run(call);
      };
      // A browser may say too early that it is online, and says it once.
      const timer = setTimeout(again, LOAD_AGAIN_MS);
      window.addEventListener("online", again);
    });
}

const find = ({ read }: Outbox, key: string): OutgoingMessage | undefined =>
  read().entries.find((message) => message.key === key);

/** Takes a message out. Returns it, or null when it is too late: its request is in progress. */
function takeOut(outbox: Outbox, key: string, type: "left" | "undone"): OutgoingMessage | null {
  const message = find(outbox, key);
  if (!message || message.state === "sending") return null;
  outbox.dispatch({ type, key });
  run((effect) => effect.afterLeaving(outbox, message));
  return message;
}

/** Deletes a message that is not being sent. A suggestion is offered again. */
export function cancelMessage(outbox: Outbox, key: string): void {
  const message = takeOut(outbox, key, "left");
  if (message?.suggestion !== undefined) return;
  // Without a connection its draft stays on the server.
  outbox.followUps
    .get(key)
    ?.draft?.discard()
    .catch(() => {});
}

/**
 * The message is not sent and goes back to the composer of its conversation, at the latest when that is opened. A
 * suggestion is offered again.
 */
export const takeBackMessage = (outbox: Outbox, key: string): OutgoingMessage | null => takeOut(outbox, key, "undone");

export const retryMessage = (outbox: Outbox, key: string): void => run((effect) => effect.attempt(outbox, key));

/** Although someone else has replied. */
export const sendAnyway = (outbox: Outbox, key: string): void => run((effect) => effect.sendAnyway(outbox, key));

export const acceptByEvent = (outbox: Outbox, event: Message): void =>
  effects.runNow((effect) => effect.outbox.acceptByEvent(outbox, event));

/** What a crash of the browser has left here is shown again, and is sent when its author says so. */
export function useRestoredCopies(): void {
  const outbox = useOutbox();
  const author = useSession().user.id;
  const workspace = workspaceInUrl();
  // biome-ignore lint/correctness/useExhaustiveDependencies: drafts come back in the workspace where they were typed
  useEffect(() => {
    void pagesWithCopies(author).then((pages) => {
      if (pages.length > 0) run((effect) => effect.restoreCopies(outbox, author));
    });
    // Before the connection may be lost, also where nothing is touched until then.
    const timer = setTimeout(() => effects.run(() => {}).catch(() => {}), LOADED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [outbox, author, workspace]);
}

/** Calls `restore` with a message of this conversation that was undone, once. */
export function useTakenBack(conversation: number, restore: (message: OutgoingMessage) => void): void {
  const outbox = useOutbox();
  const message = useOutboxState().takenBack.find((one) => one.conversation === conversation && isHere(one));
  const putBack = useEffectEvent(restore);
  useEffect(() => {
    if (!message || !outbox.read().takenBack.includes(message)) return;
    outbox.dispatch({ type: "put-back", key: message.key });
    putBack(message);
    outbox.followUps.get(message.key)?.draft?.keep();
  }, [outbox, message]);
}

const isHere = ({ workspace }: OutgoingMessage): boolean => workspace === workspaceInUrl();

/** Of one conversation, in the order of writing. */
export const useOutgoing = (conversation: number): OutgoingMessage[] =>
  useOutboxState().entries.filter((message) => message.conversation === conversation && isHere(message));

/** Of every conversation of this workspace, in the order of writing. */
export const useAllOutgoing = (): OutgoingMessage[] => useOutboxState().entries.filter(isHere);

/** The newest message that can still be undone, of any conversation. */
export const lastHeld = ({ read }: Outbox): OutgoingMessage | undefined =>
  read().entries.findLast((message) => message.state === "held" && isHere(message));
