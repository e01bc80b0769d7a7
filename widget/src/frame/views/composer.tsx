import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ownText } from "../../shared/language.ts";
import type { Obstacle } from "../chat/state.ts";
import { sizeText } from "../logic/sizes.ts";
import { type Catalogue, fill } from "../texts/catalogue.ts";
import type { ViewProps } from "./app.tsx";
import { ContactForm } from "./contact-form.tsx";
import { Icon } from "./icons.tsx";

export function Composer({ state, chat }: ViewProps) {
  const { settings, language, texts, drafts, current, files, obstacle, asking, isOpen } = state;
  const box = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const draft = drafts[current] ?? "";
  useEffect(() => {
    if (isOpen && !asking) box.current?.focus({ preventScroll: true });
  }, [isOpen, current, asking]);
  useGrowing(box, draft);
  const send = () => {
    chat.send();
    box.current?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (pasted.length === 0) return;
    event.preventDefault();
    chat.addFiles(pasted);
  };
  return (
    <div class="composer">
      {obstacle && <Notice obstacle={obstacle} texts={texts} />}
      {asking && <ContactForm state={state} chat={chat} key={asking} />}
      {files.length > 0 && <ChosenFiles state={state} chat={chat} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <input
          type="file"
          multiple
          hidden
          ref={picker}
          onChange={({ currentTarget }) => {
            chat.addFiles([...(currentTarget.files ?? [])]);
            currentTarget.value = "";
          }}
        />
        <button
          type="button"
          class="plain"
          aria-label={texts.attach}
          title={texts.attach}
          onClick={() => picker.current?.click()}
        >
          <Icon name="attach" />
        </button>
        <textarea
          ref={box}
          rows={1}
          // An empty box follows the language of the chat, so that its hint does.
          dir={draft ? "auto" : undefined}
          maxLength={10_000}
          aria-label={texts.message}
          placeholder={ownText(settings.texts, language, "placeholder") ?? texts.placeholder}
          value={draft}
          onInput={({ currentTarget }) => chat.setDraft(currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <button type="submit" class="primary round" aria-label={texts.send} title={texts.send}>
          <Icon name="send" />
        </button>
      </form>
    </div>
  );
}

/** Grows with its text, where the browser does not do that by itself. */
function useGrowing(box: { current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || CSS.supports("field-sizing", "content")) return;
    current.style.height = "auto";
    current.style.height = text ? `${current.scrollHeight}px` : "";
  }, [text]);
}

function ChosenFiles({ state: { files, texts, language }, chat }: ViewProps) {
  return (
    <ul class="chosen">
      {files.map((file, index) => (
        <li key={index}>
          <span dir="auto">{file.name}</span>
          <small>{sizeText(file.size, language.tag)}</small>
          <button
            type="button"
            class="plain small"
            aria-label={fill(texts.removeFile, { name: file.name })}
            onClick={() => chat.removeFile(index)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Notice({ obstacle, texts }: { obstacle: Obstacle; texts: Catalogue }) {
  const left = useSecondsUntil(obstacle.kind === "limit" ? obstacle.until : 0);
  return (
    <p class="notice" role="alert">
      {obstacle.kind === "limit" ? fill(texts.limit, { n: left }) : texts[SENTENCES[obstacle.kind]]}
    </p>
  );
}

const SENTENCES = {
  blocked: "blocked",
  inactive: "inactive",
  ended: "ended",
  "identity-required": "identityRequired",
  "identity-expired": "identityExpired",
} as const satisfies Record<Exclude<Obstacle["kind"], "limit">, keyof Catalogue>;

function useSecondsUntil(until: number): number {
  const [, tick] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const timer = setInterval(() => tick((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return Math.max(0, Math.ceil((until - Date.now()) / 1_000));
}
