import { Inbox, Store } from "lucide-react";
import { useIsManager, useSession } from "../../../api/session.ts";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { requestPalette } from "../../../lib/palette.ts";
import { t } from "../../../lib/texts.ts";
import { builtInView, type OpenView, type ViewName } from "../views.ts";
import css from "./list.module.css";

/** What each view is for. */
const TEXTS: Record<ViewName, { title: string; text: string }> = {
  mine: {
    title: t("Nothing assigned to you"),
    text: t(
      "Conversations that you take or that colleagues assign to you appear here. Your first reply in an unassigned conversation assigns it to you.",
    ),
  },
  unassigned: {
    title: t("Everything has an owner"),
    text: t("New conversations appear here until someone takes them."),
  },
  open: {
    title: t("No open conversations"),
    text: t(
      "A conversation opens when a contact writes: in the chat on your page (Settings > Widgets), by mail (Settings > Mailboxes), or through the API.",
    ),
  },
  waiting: { title: t("Nobody is waiting"), text: t("Contacts whose last message has no reply yet appear here.") },
  pending: {
    title: t("Nothing pending"),
    text: t("Conversations that a bot is handling appear here until it hands them over."),
  },
  snoozed: {
    title: t("Nothing snoozed"),
    text: t("A snoozed conversation opens again at its time, or when the contact writes."),
  },
  mentions: {
    title: t("Nobody has mentioned you"),
    text: t("Conversations with a note that has your name after an @ appear here."),
  },
  resolved: {
    title: t("Nothing resolved yet"),
    text: t("Resolved conversations are kept here. A new message from the contact opens them again."),
  },
};

/** For those who may not open the settings. */
const OPEN_TO_AGENTS = t(
  "A conversation opens when a contact writes: in the chat on your page, by mail, or through the API.",
);

const SAVED = {
  title: t("Nothing in this view"),
  text: t("Conversations appear here as soon as they match its filters."),
};

export function EmptyView({ open: { view, label, search } }: { open: OpenView }) {
  const own = view.filter.view === undefined ? TEXTS[builtInView(view.name).name] : SAVED;
  const { workspace } = useSession();
  const isManager = useIsManager();
  const where = label ? t("{title} with the label {label}", { title: view.title, label }) : view.title;
  const text = search
    ? t("Nothing in {where} was found for “{search}”.", { where, search })
    : label
      ? t("No conversation in {title} has the label {label}.", { title: view.title, label })
      : view.name === "open" && !isManager
        ? OPEN_TO_AGENTS
        : own.text;
  return (
    <div className={css.empty}>
      <EmptyState
        icon={<Inbox size={20} />}
        title={search || label ? t("Nothing found") : own.title}
        actions={
          search ? (
            <Button onClick={() => requestPalette(search)}>{t("Search everything")}</Button>
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
    {t("Write from the demo shop")}
  </a>
);
