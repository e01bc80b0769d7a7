import { ListFilter } from "lucide-react";
import { Link, useLocation, useSearch } from "wouter";
import { useViewCounts, useViews } from "../api/views.ts";
import { countText } from "../pages/inbox/view-counts.ts";
import css from "./app-shell.module.css";

/** The saved views, each a link to its list. */
export function ViewLinks({ collapsed }: { collapsed: boolean }) {
  const views = useViews().data ?? [];
  const counts = useViewCounts({ enabled: views.length > 0 }).data;
  const [path] = useLocation();
  const open = new URLSearchParams(useSearch()).get("view");
  if (views.length === 0) return null;
  return (
    <div className={css.group}>
      <p className={css.groupTitle}>Views</p>
      {views.map(({ id, name }) => {
        const count = countText(counts?.find((counted) => counted.id === id)?.count);
        return (
          <Link
            key={id}
            href={`/inbox?view=${id}`}
            className={css.link}
            title={collapsed ? `${name}${count ? ` (${count})` : ""}` : undefined}
            aria-current={path.startsWith("/inbox") && open === String(id) ? "page" : undefined}
          >
            <ListFilter size={16} aria-hidden />
            <span className={css.viewLabel}>{name}</span>
            {count && <span className={css.viewCount}>{count}</span>}
          </Link>
        );
      })}
    </div>
  );
}
