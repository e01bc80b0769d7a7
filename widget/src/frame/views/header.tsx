import { useEffect, useRef, useState } from "preact/hooks";
import { ownText } from "../../shared/language.ts";
import type { State } from "../chat/state.ts";
import { isLocal } from "../logic/outbox.ts";
import type { ViewProps } from "./app.tsx";
import { Icon } from "./icons.tsx";

export function Header({ state, chat, onClose }: ViewProps & { onClose: () => void }) {
  const { settings, language, texts, view, conversations, covering } = state;
  const title = ownText(settings.texts, language, "title") ?? texts.title;
  return (
    <header>
      {view === "thread" && conversations.length > 0 && (
        <button type="button" class="plain" aria-label={texts.back} title={texts.back} onClick={() => chat.showList()}>
          <Icon name="back" />
        </button>
      )}
      <div class="heading">
        <h1 dir="auto">{title}</h1>
        <p role="status" class={`status ${statusOf(state).kind}`}>
          {statusOf(state).text}
        </p>
      </div>
      <Options state={state} chat={chat} />
      {covering && (
        <button type="button" class="plain" aria-label={texts.close} title={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </header>
  );
}

/** The truth about the connection: of the network, of the last attempt to send, of the stream. */
function statusOf(state: State): { kind: "good" | "waiting" | "bad"; text: string } {
  const { preview, isOnline, sendingFails, connection, isIdentifying, texts, outbox } = state;
  if (preview) return { kind: "good", text: texts.preview };
  if (!isOnline) return { kind: "bad", text: texts.statusOffline };
  if (sendingFails || connection === "offline") return { kind: "bad", text: texts.statusUnreachable };
  if (connection === "connecting" || isIdentifying) return { kind: "waiting", text: texts.statusConnecting };
  if (connection === "live") return { kind: "good", text: texts.statusConnected };
  return outbox.some(({ problem }) => problem === null)
    ? { kind: "waiting", text: texts.sending }
    : { kind: "good", text: texts.statusReady };
}

function Options({ state, chat }: ViewProps) {
  const { texts, sound, current, view } = state;
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
    };
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.preventDefault();
    setOpen(false);
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the button inside has opened
    <div class="options" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="plain"
        ref={button}
        aria-label={texts.options}
        title={texts.options}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="options" />
      </button>
      {isOpen && (
        <div class="menu">
          <label>
            <input type="checkbox" checked={sound} onChange={() => chat.setSound(!sound)} />
            {texts.sound}
          </label>
          {view === "thread" && !isLocal(current) && (
            <button
              type="button"
              onClick={() =>
                chat.saveTranscript().then(
                  () => setOpen(false),
                  () => chat.wake(),
                )
              }
            >
              {texts.transcript}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
