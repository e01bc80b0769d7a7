import { BookOpen, KeyRound, MessagesSquare, SlidersHorizontal, Users, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useSession } from "../api/session.ts";
import css from "./app-shell.module.css";
import { ProfileMenu } from "./profile-menu.tsx";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

interface Entry {
  href: string;
  title: string;
  icon: ReactNode;
  scope: string;
}

const WORK: readonly Entry[] = [
  {
    href: "/conversations",
    title: "Conversations",
    icon: <MessagesSquare size={16} aria-hidden />,
    scope: "conversations:read",
  },
];

const SETTINGS: readonly Entry[] = [
  { href: "/settings/api-keys", title: "API Keys", icon: <KeyRound size={16} aria-hidden />, scope: "api-keys:manage" },
  { href: "/settings/webhooks", title: "Webhooks", icon: <Webhook size={16} aria-hidden />, scope: "webhooks:manage" },
  { href: "/settings/members", title: "Members", icon: <Users size={16} aria-hidden />, scope: "api-keys:manage" },
  {
    href: "/settings/workspace",
    title: "Workspace",
    icon: <SlidersHorizontal size={16} aria-hidden />,
    scope: "api-keys:manage",
  },
];

export function Navigation() {
  return (
    <div className={css.sideInside}>
      <WorkspaceSwitcher />
      <nav className={css.nav} aria-label="Main">
        <Group entries={WORK} />
        <Group title="Settings" entries={SETTINGS} />
      </nav>
      <div className={css.spacer} />
      <div className={css.group}>
        <a href="/docs" className={css.link}>
          <BookOpen size={16} aria-hidden />
          API reference
        </a>
      </div>
      <ProfileMenu />
    </div>
  );
}

function Group({ title, entries }: { title?: string; entries: readonly Entry[] }) {
  const { scopes } = useSession();
  const [path] = useLocation();
  const shown = entries.filter(({ scope }) => scopes.includes(scope));
  if (shown.length === 0) return null;
  return (
    <div className={css.group}>
      {title && <p className={css.groupTitle}>{title}</p>}
      {shown.map(({ href, title: name, icon }) => {
        const current = path === href || path.startsWith(`${href}/`);
        return (
          <Link key={href} href={href} className={css.link} aria-current={current ? "page" : undefined}>
            {icon}
            {name}
          </Link>
        );
      })}
    </div>
  );
}
