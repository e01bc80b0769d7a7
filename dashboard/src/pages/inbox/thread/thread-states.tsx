import { MessageSquareOff, MessagesSquare } from "lucide-react";
import { useState } from "react";
import { LinkButton } from "../../../components/button.tsx";
import { Field, Textarea } from "../../../components/field.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { usePageTitle } from "../../../lib/use-page-title.ts";
import css from "../inbox.module.css";

export function NothingOpen({ onHelp }: { onHelp: () => void }) {
  usePageTitle("Inbox");
  return (
    <section className={css.nothing} aria-label="Conversation">
      <EmptyState icon={<MessagesSquare size={20} />} title="No conversation is open">
        Choose one in the list: <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Enter</kbd> opens.{" "}
        <button type="button" className={css.textButton} onClick={onHelp}>
          All shortcuts
        </button>
      </EmptyState>
    </section>
  );
}

/** `text`: what was being written there; it can still be copied. */
export function GoneConversation({ back, ...rest }: { text: string; back: string }) {
  const [text] = useState(rest.text);
  return (
    <EmptyState
      icon={<MessageSquareOff size={20} />}
      title="This conversation is not here any more"
      actions={<LinkButton href={back}>Back to the list</LinkButton>}
    >
      It was deleted, or it belongs to another workspace.
      {text && (
        <Field label="What you had written" hint="It was not sent. Copy what you need of it.">
          {(field) => <Textarea {...field} readOnly rows={6} value={text} />}
        </Field>
      )}
    </EmptyState>
  );
}
