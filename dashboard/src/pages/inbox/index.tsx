import { BookOpen, MessagesSquare } from "lucide-react";
import button from "../../components/button.module.css";
import { Card, Page } from "../../components/page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { cx } from "../../lib/cx.ts";

export const InboxPages = () => (
  <Page title="Inbox">
    <Card>
      <EmptyState
        icon={<MessagesSquare size={20} />}
        title="The inbox is on its way"
        actions={
          <a className={cx(button.button, button.secondary)} href="/docs">
            <BookOpen size={14} aria-hidden />
            Conversations in the API reference
          </a>
        }
      >
        Contacts, conversations and messages are complete in the API and in webhooks. Reading and answering them on this
        page comes with a later version.
      </EmptyState>
    </Card>
  </Page>
);
