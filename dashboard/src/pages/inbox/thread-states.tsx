import { MessageSquareOff, MessagesSquare } from "lucide-react";
import { LinkButton } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";
import css from "./inbox.module.css";

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

export const GoneConversation = ({ back }: { back: string }) => (
  <EmptyState
    icon={<MessageSquareOff size={20} />}
    title="This conversation is not here any more"
    actions={<LinkButton href={back}>Back to the list</LinkButton>}
  >
    It was deleted, or it belongs to another workspace.
  </EmptyState>
);
