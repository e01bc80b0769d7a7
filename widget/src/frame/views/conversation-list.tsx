import { useEffect, useRef } from "preact/hooks";
import { plainText } from "../../../../src/rich-text/plain-text.ts";
import { fill } from "../texts/catalogue.ts";
import type { Message } from "../types.ts";
import type { ViewProps } from "./app.tsx";
import { Time } from "./time.tsx";

export function ConversationList({ state, chat }: ViewProps) {
  const { conversations, texts, language } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main class="list">
      <h2 tabIndex={-1} ref={heading}>
        {texts.conversations}
      </h2>
      <ul>
        {conversations.map(({ id, last_message, unread_count, last_activity_at }) => (
          <li key={id}>
            <button type="button" onClick={() => chat.openConversation(id)}>
              <span class="preview" dir="auto">
                {(last_message && wordsOf(last_message)) || last_message?.attachments[0]?.name || texts.file}
              </span>
              <span class="meta">
                <Time at={last_activity_at} language={language.tag} />
                {unread_count > 0 && <span class="count">{fill(texts.unread, { n: unread_count })}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="primary" onClick={() => chat.showNew()}>
        {texts.newConversation}
      </button>
    </main>
  );
}

/** Of the own messages, as they are written. */
const wordsOf = ({ direction, body }: Message): string => (direction === "out" ? plainText(body) : body);
