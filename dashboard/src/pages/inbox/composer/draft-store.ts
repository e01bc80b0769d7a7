import type { QueryClient } from "@tanstack/react-query";
import { type Draft, filesOf, ownDraft } from "../../../api/drafts.ts";
import { draftKeys } from "../../../api/query-keys.ts";
import { registerOwnWork } from "../../../lib/own-work.ts";
import { workspaceInUrl } from "../../../lib/workspace.ts";
import type { DraftContent } from "./draft-content.ts";
import { type DraftEvent, draftReducer, isInConflict, type UnsavedState, untouched } from "./draft-state.ts";
import { effects } from "./effects.ts";

/** The draft of a message that is being sent. */
export interface SentDraft {
  /** The message was accepted, or deleted. */
  discard: (options?: { leaving?: boolean }) => Promise<void>;
  /** The message is in the composer again. */
  keep: () => void;
}

export const contentOf = (stored: Draft | null): DraftContent => ({
  text: stored?.body ?? "",
  isNote: stored?.private ?? false,
  files: filesOf(stored),
});

const contentOrNull = (stored: Draft | null): DraftContent | null => stored && contentOf(stored);

/**
 * The draft of one conversation, on its way to the server. It outlives the composer, so that a text that could not be saved
 * is neither lost nor overwritten when the conversation is left and opened again, and it keeps to the workspace in which
 * it was typed. How it gets to the server is in `draft-effects.ts`, which is loaded when the page is used.
 */
export interface UnsavedDraft {
  client: QueryClient;
  conversation: number;
  workspace: number | null;
  keys: { all: readonly unknown[]; list: readonly unknown[]; own: readonly unknown[] };
  read: () => UnsavedState;
  dispatch: (event: DraftEvent) => void;
  subscribe: (listener: () => void) => () => void;
  /** Whether a composer shows it. */
  isShown: () => boolean;
}

type Drafts = Map<string, UnsavedDraft>;
const stores = new WeakMap<QueryClient, Drafts>();

/** Every draft of this page that is shown, or not saved yet. */
function draftsOf(client: QueryClient): Drafts {
  const known = stores.get(client);
  if (known) return known;
  const drafts: Drafts = new Map();
  stores.set(client, drafts);
  const all = () => [...drafts.values()];
  registerOwnWork({
    finish: () => effects.run(({ drafts: effect }) => Promise.all(all().map(effect.finish))),
    left: () => all().filter((draft) => isUnsaved(draft.read())).length,
    forget: () => {
      for (const draft of all()) {
        draft.dispatch({ type: "dropped" });
        effects.runNow(({ drafts: effect }) => effect.copyLocally(draft));
      }
      drafts.clear();
    },
  });
  return drafts;
}

/** Nothing of it is on its way. */
export const isDone = ({ isDirty, writes, handedOver }: UnsavedState): boolean =>
  !isDirty && writes === 0 && handedOver.length === 0;

const isUnsaved = ({ isDirty, status }: UnsavedState): boolean => isDirty || status === "saving" || status === "failed";

const keyOf = (conversation: number): string => `${workspaceInUrl()}/${conversation}`;

/** What was last in the composer of a conversation, which may be gone by now. */
export const unsentTextOf = (client: QueryClient, conversation: number): string =>
  (
    draftsOf(client).get(keyOf(conversation))?.read().typed ??
    contentOf(ownDraft(client.getQueryData<Draft[]>(draftKeys.list(conversation))))
  ).text;

/** The same one until everything that was typed is saved and its composer is closed. */
export function unsavedDraftOf(client: QueryClient, conversation: number): UnsavedDraft {
  const drafts = draftsOf(client);
  const key = keyOf(conversation);
  const known = drafts.get(key);
  if (known) return known;
  const draft = createDraft(client, conversation, () => {
    if (drafts.get(key) === draft) drafts.delete(key);
  });
  drafts.set(key, draft);
  return draft;
}

function createDraft(client: QueryClient, conversation: number, forget: () => void): UnsavedDraft {
  const keys = { all: draftKeys.all(conversation), list: draftKeys.list(conversation), own: draftKeys.own() };
  const cached = client.getQueryData<Draft[]>(keys.list);
  let state = untouched(cached && contentOrNull(ownDraft(cached)));
  const listeners = new Set<() => void>();
  const forgetIfDone = () => {
    if (listeners.size === 0 && isDone(state)) forget();
  };
  const draft: UnsavedDraft = {
    client,
    conversation,
    keys,
    workspace: workspaceInUrl(),
    read: () => state,
    isShown: () => listeners.size > 0,
    dispatch(event) {
      state = draftReducer(state, event);
      for (const listener of listeners) listener();
      forgetIfDone();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0)
          effects.run(({ drafts: effect }) => effect.finish(draft)).then(forgetIfDone, () => {});
      };
    },
  };
  return draft;
}

export function changeDraft(draft: UnsavedDraft, content: DraftContent): void {
  draft.dispatch({ type: "changed", content });
  // Where its code cannot be loaded, the next key tries again.
  effects.run(({ drafts: effect }) => effect.changed(draft)).catch(() => {});
}

export const saveDraftNow = (draft: UnsavedDraft): void =>
  effects.runNow(({ drafts: effect }) => effect.saveNow(draft));

/** Shows what was saved on another device meanwhile. What was typed here and is not saved yet stays. */
export const refreshDraft = (draft: UnsavedDraft): void =>
  effects.runNow(({ drafts: effect }) => void effect.refresh(draft));

/** The server has this now. */
export function followStored(draft: UnsavedDraft, stored: Draft | null): void {
  const content = contentOrNull(stored);
  const wasDirty = draft.read().isDirty;
  if (isInConflict(draft.read(), content))
    void effects.run(({ drafts: effect }) => effect.merge(draft, stored)).catch(() => {});
  else draft.dispatch({ type: "read", stored: content });
  if (!wasDirty && draft.read().isDirty) effects.run(({ drafts: effect }) => effect.changed(draft)).catch(() => {});
}

/** What a crash of the browser has left of it here. */
export function recoverDraft(draft: UnsavedDraft, typed: DraftContent, base: DraftContent | null): void {
  draft.dispatch({ type: "merged", content: typed, base });
  effects.run(({ drafts: effect }) => effect.changed(draft)).catch(() => {});
}

/**
 * The text is being sent: the field is empty at once. The server keeps the draft until the message has been accepted, so
 * that it is not lost with the page; meanwhile it must not come back into the field.
 */
export function handOver(draft: UnsavedDraft, sent: DraftContent): SentDraft {
  const { isLoaded, isDirty } = draft.read();
  // The draft that the server may have was not part of the message.
  if (!isLoaded) {
    draft.dispatch({ type: "dropped" });
    return { discard: async () => {}, keep: () => {} };
  }
  const cleared: DraftContent = { text: "", isNote: sent.isNote, files: [] };
  draft.dispatch({ type: "handed-over", cleared });
  if (isDirty) effects.run(({ drafts: effect }) => effect.saveSent(draft, sent, cleared)).catch(() => {});
  return {
    discard: ({ leaving = false } = {}) =>
      effects.run(({ drafts: effect }) => effect.discard(draft, { cleared, leaving })),
    keep: () => draft.dispatch({ type: "released", cleared }),
  };
}
