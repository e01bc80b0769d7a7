import { useEffect, useLayoutEffect, useReducer, useState } from "preact/hooks";
import { plainText } from "../../../../src/rich-text/plain-text.ts";
import type { Chat } from "../chat/chat.ts";
import { logOf, type State, type Store } from "../chat/state.ts";
import { Composer } from "./composer.tsx";
import { ConversationList } from "./conversation-list.tsx";
import { Header } from "./header.tsx";
import { Thread } from "./thread.tsx";

export interface ViewProps {
  state: State;
  chat: Chat;
}

interface AppProps {
  store: Store;
  chat: Chat;
  onClose: () => void;
}

export function App({ store, chat, onClose }: AppProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  // With the first drawing, not after it: a response that comes in between would not be shown.
  useLayoutEffect(() => store.subscribe(() => redraw(undefined)), [store]);
  useEscape(onClose);
  const { isDragging, ...dropTarget } = useFileDrop(chat);
  const state = store.get();
  return (
    <div class="app" {...dropTarget}>
      <Header state={state} chat={chat} onClose={onClose} />
      {state.view === "list" ? (
        <ConversationList state={state} chat={chat} />
      ) : (
        <>
          <Thread state={state} chat={chat} key={state.current} />
          <Composer state={state} chat={chat} />
        </>
      )}
      {isDragging && <p class="drop">{state.texts.drop}</p>}
      {/* Reads each new message once. The log itself is silent: it also fills with what is old. */}
      <p class="sr" aria-live="polite" aria-atomic="true">
        {announcementIn(state)}
      </p>
    </div>
  );
}

/** As the message is now: what was edited is read again, and what was deleted is gone from here too. */
function announcementIn(state: State): string {
  const { announced, texts } = state;
  const known = announced && logOf(state, announced.conversation).messages.find(({ id }) => id === announced.id);
  if (!known) return "";
  return `${known.sender_name ?? texts.agent}: ${plainText(known.body) || known.attachments[0]?.name || texts.file}`;
}

function useEscape(onClose: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) onClose();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [onClose]);
}

function useFileDrop(chat: Chat) {
  const [isDragging, setDragging] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  return {
    isDragging,
    onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    },
    onDragLeave(event: DragEvent) {
      if (!(event.currentTarget as Element).contains(event.relatedTarget as Node | null)) setDragging(false);
    },
    onDrop(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(false);
      chat.addFiles([...(event.dataTransfer?.files ?? [])]);
    },
  };
}
