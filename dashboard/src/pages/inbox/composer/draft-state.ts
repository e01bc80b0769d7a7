import { type DraftContent, isBlank, joined } from "./draft-content.ts";

export type DraftStatus = "idle" | "saving" | "saved" | "failed";

/** What was typed in one conversation, and how much of it the server has. */
export interface UnsavedState {
  /** What was typed or cleared here since the conversation was opened; null: what the server has is shown. */
  typed: DraftContent | null;
  status: DraftStatus;
  /** Changed since the last write began. */
  isDirty: boolean;
  /** Whether the server has a draft is known. Until then nothing is written: it would replace a draft that nobody has seen. */
  isLoaded: boolean;
  /** What the server had when it was last known: what was typed here began from it. */
  base: DraftContent | null;
  /** What the field had right after each text that is being sent. */
  handedOver: readonly DraftContent[];
  /** Writes that have not ended. */
  writes: number;
}

export const untouched = (base: DraftContent | null | undefined): UnsavedState => ({
  typed: null,
  status: "idle",
  isDirty: false,
  isLoaded: base !== undefined,
  base: base ?? null,
  handedOver: [],
  writes: 0,
});

export type DraftEvent =
  | { type: "changed"; content: DraftContent }
  /** What both devices wrote is in `content`; the server has `base`. */
  | { type: "merged"; content: DraftContent; base: DraftContent | null }
  /** An empty field, while the server keeps the draft of a message that is being sent. */
  | { type: "left-alone" }
  | { type: "write-began" }
  | { type: "write-ended"; content: DraftContent; stored: DraftContent | null }
  | { type: "write-failed"; content: DraftContent }
  | { type: "load-failed" }
  /** The server has this. */
  | { type: "read"; stored: DraftContent | null }
  | { type: "handed-over"; cleared: DraftContent }
  | { type: "released"; cleared: DraftContent }
  | { type: "dropped" };

export function draftReducer(state: UnsavedState, event: DraftEvent): UnsavedState {
  switch (event.type) {
    case "changed":
      return { ...state, typed: event.content, status: "saving", isDirty: true };
    case "merged":
      return { ...state, typed: event.content, base: event.base, status: "saving", isDirty: true };
    case "left-alone":
      return { ...state, status: "idle", isDirty: false };
    case "write-began":
      return { ...state, isDirty: false, writes: state.writes + 1 };
    case "write-ended": {
      const isCurrent = state.typed === event.content;
      const status = isBlank(event.content) ? "idle" : "saved";
      return { ...state, base: event.stored, writes: state.writes - 1, ...(isCurrent ? { status } : {}) };
    }
    case "write-failed": {
      const isCurrent = state.typed === event.content;
      return { ...state, writes: state.writes - 1, ...(isCurrent ? { isDirty: true, status: "failed" } : {}) };
    }
    case "load-failed":
      return state.isDirty ? { ...state, status: "failed" } : state;
    case "read":
      return afterReading(state, event.stored);
    case "handed-over": {
      const handedOver = [...state.handedOver, event.cleared];
      return { ...state, typed: event.cleared, status: "idle", isDirty: false, handedOver };
    }
    case "released":
      return { ...state, handedOver: state.handedOver.filter((one) => one !== event.cleared) };
    case "dropped":
      return { ...state, typed: null, status: "idle", isDirty: false, handedOver: [] };
  }
}

/**
 * Another device has changed or sent the draft that was saved here: what the server has is shown. What was typed before
 * the first response is added to what it brings.
 */
function afterReading(state: UnsavedState, stored: DraftContent | null): UnsavedState {
  const { typed } = state;
  if (!state.isLoaded) {
    const loaded = { ...state, isLoaded: true, base: stored };
    // A page that crashed may have saved it after all.
    if (!typed || !stored || isSame(typed, stored)) return loaded;
    return { ...loaded, typed: joined(stored, typed), status: "saving", isDirty: true };
  }
  if (!isOnServer(state)) return state;
  const next = { ...state, base: stored };
  return typed && !isSame(typed, stored) ? { ...next, typed: null, status: "idle" } : next;
}

/** Both this device and another one have changed the draft since the server's was last known. */
export const isInConflict = (state: UnsavedState, stored: DraftContent | null): boolean =>
  state.isDirty &&
  state.isLoaded &&
  state.writes === 0 &&
  state.handedOver.length === 0 &&
  !isSameDraft(state.base, stored);

/** The server has what the field shows, or has nothing because the field was emptied. */
export function isOnServer({ typed, isDirty, writes, handedOver, status }: UnsavedState): boolean {
  if (!typed || isDirty) return !isDirty;
  if (writes > 0) return false;
  return isBlank(typed) ? handedOver.length === 0 : status === "saved";
}

const isSame = ({ text, isNote, files }: DraftContent, stored: DraftContent | null): boolean =>
  text === (stored?.text ?? "") &&
  isNote === (stored?.isNote ?? isNote) &&
  String(files.map(({ id }) => id)) === String((stored?.files ?? []).map(({ id }) => id));

export const isSameDraft = (one: DraftContent | null, other: DraftContent | null): boolean =>
  one ? isSame(one, other) : !other || isBlank(other);
