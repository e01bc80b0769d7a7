type Listener = (conversations: readonly number[]) => void;

const listeners = new Set<Listener>();

/** Called with the conversations where a colleague has come, has begun to write or has stopped. */
export function onPresenceChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const presenceChanged: Listener = (conversations) => {
  for (const listener of listeners) listener(conversations);
};
