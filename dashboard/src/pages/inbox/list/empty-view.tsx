import { Inbox, Store } from "lucide-react";
import { useSession } from "../../../api/session.ts";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { requestPalette } from "../../../lib/palette.ts";
import { builtInView, type OpenView, type ViewName } from "../views.ts";
import css from "./list.module.css";

/** What each view is for. */
const TEXTS: Record<ViewName, { title: string; text: string }> = {
  mine: {
    title: "Nothing assigned to you",
    text: "Conversations that you take or that colleagues assign to you appear here. Your first reply in an unassigned conversation assigns it to you.",
  },
  unassigned: { title: "Everything has an owner", text: "New conversations appear here until someone takes them." },
  open: {
    title: "No open conversations",
    text: "A conversation opens when a contact writes: in the chat on your page (Settings > Widgets), or through the API.",
  },
  waiting: { title: "Nobody is waiting", text: "Contacts whose last message has no reply yet appear here." },
  pending: {
    title: "Nothing pending",
    text: "Conversations that a bot is handling appear here until it hands them over.",
  },
  snoozed: {
    title: "Nothing snoozed",
    text: "A snoozed conversation opens again at its time, or when the contact writes.",
  },
  mentions: {
    title: "Nobody has mentioned you",
    text: "Conversations with a note that has your name after an @ appear here.",
  },
  resolved: {
    title: "Nothing resolved yet",
    text: "Resolved conversations are kept here. A new message from the contact opens them again.",
  },
};

const SAVED = {
  title: "Nothing in this view",
  text: "Conversations appear here as soon as they match its filters.",
};

export function EmptyView({ open: { view, label, search } }: { open: OpenView }) {
  const own = view.filter.view === undefined ? TEXTS[builtInView(view.name).name] : SAVED;
  const { workspace } = useSession();
  const where = label ? `${view.title} with the label ${label}` : view.title;
  const text = search
    ? `Nothing in ${where} was found for “${search}”.`
    : label
      ? `No conversation in ${view.title} has the label ${label}.`
      : own.text;
  return (
    <div className={css.empty}>
      <EmptyState
        icon={<Inbox size={20} />}
        title={search || label ? "Nothing found" : own.title}
        actions={
          search ? (
            <Button onClick={() => requestPalette(search)}>Search everything</Button>
          ) : (
            workspace.is_demo && <ShopLink />
          )
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}

/** The demo's customers write there. */
const ShopLink = () => (
  <a className={css.shop} href="/demo/shop" target="_blank" rel="noreferrer">
    <Store size={14} aria-hidden />
    Write from the demo shop
  </a>
);
