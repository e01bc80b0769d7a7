import {
  BookOpen,
  ChartNoAxesColumn,
  ContactRound,
  Inbox,
  KeyRound,
  MessageSquareText,
  Radio,
  ScrollText,
  SlidersHorizontal,
  Users,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { MANAGERS, type Role, useSession } from "../api/session.ts";
import { LiveIndicator } from "../live/live-indicator.tsx";
import css from "./app-shell.module.css";
import { ProfileMenu } from "./profile-menu.tsx";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

interface Entry {
  href: string;
  title: string;
  icon: ReactNode;
  /** All roles by default. */
  roles?: readonly Role[];
}

const WORK: readonly Entry[] = [
  { href: "/inbox", title: "Inbox", icon: <Inbox size={16} aria-hidden /> },
  { href: "/contacts", title: "Contacts", icon: <ContactRound size={16} aria-hidden /> },
  { href: "/overview", title: "Overview", icon: <ChartNoAxesColumn size={16} aria-hidden />, roles: MANAGERS },
  { href: "/events", title: "Events", icon: <Radio size={16} aria-hidden />, roles: MANAGERS },
];

const SETTINGS: readonly Entry[] = [
  { href: "/settings/api-keys", title: "API Keys", icon: <KeyRound size={16} aria-hidden />, roles: MANAGERS },
  { href: "/settings/webhooks", title: "Webhooks", icon: <Webhook size={16} aria-hidden />, roles: MANAGERS },
  { href: "/settings/members", title: "Members", icon: <Users size={16} aria-hidden />, roles: MANAGERS },
  { href: "/settings/saved-replies", title: "Saved replies", icon: <MessageSquareText size={16} aria-hidden /> },
  { href: "/settings/audit-log", title: "Audit log", icon: <ScrollText size={16} aria-hidden />, roles: MANAGERS },
  {
    href: "/settings/workspace",
    title: "Workspace",
    icon: <SlidersHorizontal size={16} aria-hidden />,
    roles: MANAGERS,
  },
];

/** `collapsed`: icons alone; the names stay for screen readers and as tooltips. */
export function Navigation({ collapsed = false, foot }: { collapsed?: boolean; foot?: ReactNode }) {
  return (
    <div className={css.sideInside} data-collapsed={collapsed || undefined}>
      <WorkspaceSwitcher />
      <nav className={css.nav} aria-label="Main">
        <Group entries={WORK} collapsed={collapsed} />
        <Group title="Settings" entries={SETTINGS} collapsed={collapsed} />
      </nav>
      <div className={css.spacer} />
      <div className={css.group}>
        <a href="/docs" className={css.link} title={collapsed ? "API reference" : undefined}>
          <BookOpen size={16} aria-hidden />
          <span className={css.label}>API reference</span>
        </a>
        {foot}
        <LiveIndicator />
      </div>
      <ProfileMenu />
    </div>
  );
}

interface GroupProps {
  title?: string;
  entries: readonly Entry[];
  collapsed: boolean;
}

function Group({ title, entries, collapsed }: GroupProps) {
  const { role } = useSession();
  const [path] = useLocation();
  const shown = entries.filter(({ roles }) => !roles || roles.includes(role));
  if (shown.length === 0) return null;
  return (
    <div className={css.group}>
      {title && <p className={css.groupTitle}>{title}</p>}
      {shown.map(({ href, title: name, icon }) => {
        const current = path === href || path.startsWith(`${href}/`);
        return (
          <Link
            key={href}
            href={href}
            className={css.link}
            title={collapsed ? name : undefined}
            aria-current={current ? "page" : undefined}
          >
            {icon}
            <span className={css.label}>{name}</span>
          </Link>
        );
      })}
    </div>
  );
}
