import { AtSign, ListFilter } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { useConversationCounts } from "../api/conversations.ts";
import { useViewCounts, useViews } from "../api/views.ts";
import { t } from "../lib/texts.ts";
import { countText } from "../pages/inbox/view-counts.ts";
import css from "./app-shell.module.css";

/** What mentions the user and the saved views, each a link to its list. */
export function ViewLinks({ collapsed }: { collapsed: boolean }) {
  const views = useViews().data ?? [];
  const counts = useViewCounts({ enabled: views.length > 0 }).data;
  const mentioned = useConversationCounts().data?.mentioned;
  return (
    <div className={css.group}>
      <p className={css.groupTitle}>{t("Views")}</p>
      <ViewLink
        view="mentions"
        name={t("Mentions")}
        icon={<AtSign size={16} aria-hidden />}
        count={countText(mentioned || undefined)}
        collapsed={collapsed}
        countsUnread
      />
      {views.map(({ id, name }) => (
        <ViewLink
          key={id}
          view={String(id)}
          name={name}
          icon={<ListFilter size={16} aria-hidden />}
          count={countText(counts?.find((counted) => counted.id === id)?.count)}
          collapsed={collapsed}
        />
      ))}
    </div>
  );
}

interface ViewLinkProps {
  view: string;
  name: string;
  icon: ReactNode;
  count: string | undefined;
  collapsed: boolean;
  /** What it counts calls this person: a sign of it stays where there is no room for the number. */
  countsUnread?: boolean;
}

function ViewLink({ view, name, icon, count, collapsed, countsUnread }: ViewLinkProps) {
  const [path] = useLocation();
  const open = new URLSearchParams(useSearch()).get("view");
  const isOpen = path.startsWith("/inbox") && open === view;
  return (
    <Link
      href={`/inbox?view=${view}`}
      className={css.link}
      title={collapsed ? `${name}${count ? ` (${count})` : ""}` : undefined}
      aria-current={isOpen ? "page" : undefined}
    >
      {icon}
      <span className={css.viewLabel}>{name}</span>
      {count && <span className={css.viewCount}>{count}</span>}
      {count && countsUnread && collapsed && <span className={css.unread} data-unread aria-hidden />}
    </Link>
  );
}
