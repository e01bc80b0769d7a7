import { useLayoutEffect, useRef } from "preact/hooks";
import { ownText } from "../../shared/language.ts";
import { logOf, type State } from "../chat/state.ts";
import type { Entry } from "../logic/outbox.ts";
import { sizeText } from "../logic/sizes.ts";
import { fill } from "../texts/catalogue.ts";
import type { Attachment, Message } from "../types.ts";
import type { ViewProps } from "./app.tsx";
import { Icon } from "./icons.tsx";
import { PlainText, RichText } from "./message-text.tsx";
import { Time } from "./time.tsx";

/** Nearer to the end than this, the log follows new messages. */
const NEAR_END_PX = 120;

export function Thread({ state, chat }: ViewProps) {
  const { settings, language, texts, current, typing, visitor } = state;
  const { messages, earlier } = logOf(state, current);
  const confirmed = new Set(messages.map(({ client_id }) => client_id));
  const pending = state.outbox.filter((entry) => entry.conversation === current && !confirmed.has(entry.id));
  const added = [messages.at(-1)?.id, pending.length, typing !== null, state.isOpen, state.asking];
  const { box, toEnd } = useFollowEnd(current, added, (isAtEnd) => chat.setAtEnd(isAtEnd));
  const own = pending.at(-1)?.id;
  useLayoutEffect(() => {
    if (own !== undefined) toEnd();
  }, [own]);
  const unread = state.isAtEnd ? 0 : (state.conversations.find(({ id }) => id === current)?.unread_count ?? 0);
  const greeting = ownText(settings.texts, language, "greeting") ?? texts.greeting;
  const seen = seenMessage(state, messages);
  const isTyping = typing?.conversation === current;
  return (
    // The live region of the app reads new messages; this one also fills with old ones.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <div class="log" role="log" aria-live="off" aria-label={texts.title} tabIndex={0} ref={box}>
      {earlier && (
        <button type="button" class="secondary" onClick={() => chat.loadEarlier()}>
          {texts.earlier}
        </button>
      )}
      {!earlier && (
        <div class="message out">
          <div class="bubble" dir="auto">
            <PlainText text={greeting} />
          </div>
        </div>
      )}
      {messages.map((message) => (
        <Bubble key={message.client_id ?? message.id} message={message} state={state} isSeen={message.id === seen} />
      ))}
      {pending.map((entry) => (
        <Pending key={entry.id} entry={entry} state={state} chat={chat} />
      ))}
      {isTyping && <p class="typing">{fill(texts.typing, { name: typing.name ?? texts.agent })}</p>}
      {settings.replies_by_mail && visitor.email && messages.length > 0 && (
        <p class="hint">{fill(texts.repliesByMail, { email: visitor.email })}</p>
      )}
      {unread > 0 && (
        <button type="button" class="primary to-end" onClick={toEnd}>
          {fill(texts.unread, { n: unread })}
        </button>
      )}
    </div>
  );
}

/** The newest own message that an agent has read. */
function seenMessage(state: State, messages: readonly Message[]): string | undefined {
  const read = state.conversations.find(({ id }) => id === state.current)?.agent_read_seq ?? 0;
  return messages.findLast(({ direction, seq }) => direction === "in" && seq <= read)?.id;
}

function Bubble({ message, state, isSeen }: { message: Message; state: State; isSeen: boolean }) {
  const { texts, language } = state;
  const { direction, sender_name, body, attachments, created_at } = message;
  return (
    <div class={`message ${direction}`}>
      {direction === "out" ? (
        <p class="sender" dir="auto">
          {sender_name ?? texts.agent}
        </p>
      ) : (
        <p class="sr">{texts.you}</p>
      )}
      {body && (
        <div class="bubble" dir="auto">
          {direction === "out" ? <RichText text={body} /> : <PlainText text={body} />}
        </div>
      )}
      {attachments.map((attachment) => (
        <File key={attachment.url} attachment={attachment} language={language.tag} />
      ))}
      <p class="meta">
        <Time at={created_at} language={language.tag} />
        {isSeen && <span>{texts.seen}</span>}
      </p>
    </div>
  );
}

function Pending({ entry, state, chat }: ViewProps & { entry: Entry }) {
  const { texts } = state;
  const problems = { refused: texts.failed, "file-lost": texts.fileLost, "file-refused": texts.fileRefused };
  const text =
    entry.problem === null
      ? isSending(state)
        ? texts.sending
        : texts.notSent
      : entry.problem === "ended"
        ? texts.endedEntry
        : problems[entry.problem];
  return (
    <div class="message in pending">
      <p class="sr">{texts.you}</p>
      {entry.body && (
        <div class="bubble" dir="auto">
          <PlainText text={entry.body} />
        </div>
      )}
      {entry.files.map(({ name }, index) => (
        <p class="file" key={index}>
          <Icon name="file" />
          <span dir="auto">{name}</span>
        </p>
      ))}
      <p class={entry.problem ? "meta problem" : "meta"}>{text}</p>
      {entry.problem && (
        <p class="actions">
          <button type="button" class="secondary" onClick={() => chat.retry(entry.id)}>
            {texts.retry}
          </button>
          <button type="button" class="secondary" onClick={() => chat.discard(entry.id)}>
            {texts.discard}
          </button>
        </p>
      )}
    </div>
  );
}

const isSending = ({ isOnline, sendingFails, obstacle, isIdentifying }: State): boolean =>
  isOnline && !sendingFails && obstacle === null && !isIdentifying;

const SHOWN_IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;

function File({ attachment, language }: { attachment: Attachment; language: string }) {
  const { name, content_type, size_bytes, url } = attachment;
  return (
    <a class="file" href={url} target="_blank" rel="noopener noreferrer nofollow ugc">
      {SHOWN_IMAGE.test(content_type) ? <img src={url} alt="" loading="lazy" /> : <Icon name="file" />}
      <span dir="auto">{name}</span>
      <small>{sizeText(size_bytes, language)}</small>
    </a>
  );
}

/**
 * Stays at the end when something is added there, a picture is loaded or the log gets smaller, unless the visitor reads
 * further up.
 */
function useFollowEnd(conversation: string, added: readonly unknown[], onScrolled: (isAtEnd: boolean) => void) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const toEnd = () => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  const follow = () => {
    if (isAtEnd.current) toEnd();
  };
  useLayoutEffect(() => {
    const log = box.current;
    if (!log) return;
    let before = log.scrollTop;
    const note = () => {
      // What grows moves the end away, not the reader: they leave it by going up.
      if (log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX) isAtEnd.current = true;
      else if (log.scrollTop < before) isAtEnd.current = false;
      before = log.scrollTop;
      onScrolled(isAtEnd.current);
    };
    // A question above the text box, or the keyboard of a phone.
    const resizing = new ResizeObserver(follow);
    resizing.observe(log);
    log.addEventListener("scroll", note, { passive: true });
    log.addEventListener("load", follow, { capture: true });
    return () => {
      resizing.disconnect();
      log.removeEventListener("scroll", note);
      log.removeEventListener("load", follow, { capture: true });
    };
  }, []);
  // Another conversation is shown from its end.
  useLayoutEffect(() => {
    isAtEnd.current = true;
    onScrolled(true);
    toEnd();
  }, [conversation]);
  useLayoutEffect(follow, added as unknown[]);
  return { box, toEnd };
}
