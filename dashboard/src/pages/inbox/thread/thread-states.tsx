import { MessageSquareOff, MessagesSquare } from "lucide-react";
import { useState } from "react";
import { LinkButton } from "../../../components/button.tsx";
import { Field, Textarea } from "../../../components/field.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { rich } from "../../../lib/rich.ts";
import { t } from "../../../lib/texts.ts";
import { usePageTitle } from "../../../lib/use-page-title.ts";
import css from "../inbox.module.css";

export function NothingOpen({ onHelp }: { onHelp: () => void }) {
  usePageTitle(t("Inbox"));
  return (
    <section className={css.nothing} aria-label={t("Conversation")}>
      <EmptyState icon={<MessagesSquare size={20} />} title={t("No conversation is open")}>
        {rich("Choose one in the list: {kbd} and {kbd2} move, {kbd3} opens.", {
          kbd: <kbd>j</kbd>,
          kbd2: <kbd>k</kbd>,
          kbd3: <kbd>Enter</kbd>,
        })}{" "}
        <button type="button" className={css.textButton} onClick={onHelp}>
          {t("All shortcuts")}
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
      title={t("This conversation is not here any more")}
      actions={<LinkButton href={back}>{t("Back to the list")}</LinkButton>}
    >
      {t("It was deleted, or it belongs to another workspace.")}
      {text && (
        <Field label={t("What you had written")} hint={t("It was not sent. Copy what you need of it.")}>
          {(field) => <Textarea {...field} readOnly rows={6} value={text} />}
        </Field>
      )}
    </EmptyState>
  );
}
