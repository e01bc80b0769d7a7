import {
  BookOpen,
  ChartNoAxesColumn,
  ContactRound,
  Inbox,
  KeyRound,
  ListEnd,
  Mail,
  MessageSquareText,
  MessagesSquare,
  Radio,
  ScrollText,
  SlidersHorizontal,
  Users,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useSession } from "../api/session.ts";
import { t } from "../lib/texts.ts";
import { LiveIndicator } from "../live/live-indicator.tsx";
import { mayOpen, type PagePath, SITE_MAP } from "../site-map.ts";
import css from "./app-shell.module.css";
import { ProfileMenu } from "./profile-menu.tsx";
import { ViewLinks } from "./view-links.tsx";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

interface Entry {
  href: PagePath;
  icon: ReactNode;
}

const WORK: readonly Entry[] = [
  { href: "/inbox", icon: <Inbox size={16} aria-hidden /> },
  { href: "/contacts", icon: <ContactRound size={16} aria-hidden /> },
  { href: "/overview", icon: <ChartNoAxesColumn size={16} aria-hidden /> },
  { href: "/events", icon: <Radio size={16} aria-hidden /> },
];

const SETTINGS: readonly Entry[] = [
  { href: "/settings/api-keys", icon: <KeyRound size={16} aria-hidden /> },
  { href: "/settings/webhooks", icon: <Webhook size={16} aria-hidden /> },
  { href: "/settings/consumers", icon: <ListEnd size={16} aria-hidden /> },
  { href: "/settings/widgets", icon: <MessagesSquare size={16} aria-hidden /> },
  { href: "/settings/mailboxes", icon: <Mail size={16} aria-hidden /> },
  { href: "/settings/members", icon: <Users size={16} aria-hidden /> },
  { href: "/settings/saved-replies", icon: <MessageSquareText size={16} aria-hidden /> },
  { href: "/settings/audit-log", icon: <ScrollText size={16} aria-hidden /> },
  { href: "/settings/workspace", icon: <SlidersHorizontal size={16} aria-hidden /> },
];

/** `collapsed`: icons alone; the names stay for screen readers and as tooltips. */
export function Navigation({ collapsed = false, foot }: { collapsed?: boolean; foot?: ReactNode }) {
  return (
    <div className={css.sideInside} data-collapsed={collapsed || undefined}>
      <WorkspaceSwitcher />
      <nav className={css.nav} aria-label={t("Main")}>
        <Group entries={WORK} collapsed={collapsed} />
        <ViewLinks collapsed={collapsed} />
        <Group title={t("Settings")} entries={SETTINGS} collapsed={collapsed} />
      </nav>
      <div className={css.spacer} />
      <div className={css.group}>
        <a href="/docs" className={css.link} title={collapsed ? t("API reference") : undefined}>
          <BookOpen size={16} aria-hidden />
          <span className={css.label}>{t("API reference")}</span>
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
  const shown = entries.filter(({ href }) => mayOpen(role, href));
  if (shown.length === 0) return null;
  return (
    <div className={css.group}>
      {title && <p className={css.groupTitle}>{title}</p>}
      {shown.map(({ href, icon }) => {
        const { title: name } = SITE_MAP[href];
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
