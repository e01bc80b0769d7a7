/** What a thread offers to actions that begin outside of it: those of keys and of the palette. */
export interface ThreadHandle {
  compose: (kind: "reply" | "note") => void;
  /** Puts a text into the composer, below what is written there. */
  insert: (text: string) => void;
  /** Sends the first suggestion as it is. One at a time: pressed twice, it does not send the second one too. */
  sendSuggestion: () => void;
  /** The conversation stays unread while it is open, until it is opened again. */
  pauseReading: () => void;
}
