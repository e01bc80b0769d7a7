import { Menu as MenuIcon, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useSession } from "../api/session.ts";
import { IconButton } from "../components/button.tsx";
import { whenNeeded } from "../components/when-needed.tsx";
import { t } from "../lib/texts.ts";
import { useMedia } from "../lib/use-media.ts";
import { useStored } from "../lib/use-stored.ts";
import { LiveIndicator } from "../live/live-indicator.tsx";
import css from "./app-shell.module.css";
import { GlobalKeys } from "./global-keys.tsx";
import { initialOf } from "./initial.ts";
import { Navigation } from "./navigation.tsx";

/** The frame around every page of the signed-in part: navigation next to it, or behind a button on narrow screens. */
export function AppShell({ children }: { children: ReactNode }) {
  const [sidebar, setSidebar] = useStored<"auto" | "wide" | "icons">("parley.sidebar", "auto");
  const [path] = useLocation();
  const isTight = useMedia("(width < 1440px)") && path.startsWith("/inbox");
  // The three panes of the inbox need the room more than the names do, unless its user has decided otherwise.
  const collapsed = sidebar === "icons" || (sidebar === "auto" && isTight);
  return (
    <div className={css.shell} data-collapsed={collapsed || undefined} data-sidebar={collapsed ? "icons" : "wide"}>
      <a href="#main" className={css.skip}>
        {t("Skip to the page")}
      </a>
      <aside className={css.side} aria-label={t("Sidebar")}>
        <Navigation
          collapsed={collapsed}
          foot={<CollapseButton collapsed={collapsed} onClick={() => setSidebar(collapsed ? "wide" : "icons")} />}
        />
      </aside>
      <NarrowBar />
      <GlobalKeys />
      <main id="main" className={css.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function CollapseButton({ collapsed, onClick }: { collapsed: boolean; onClick: () => void }) {
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose;
  const name = collapsed ? t("Expand sidebar") : t("Collapse sidebar");
  return (
    <button type="button" className={css.link} title={collapsed ? name : undefined} onClick={onClick}>
      <Icon size={16} aria-hidden />
      <span className={css.label}>{name}</span>
    </button>
  );
}

const NavigationDrawer = whenNeeded(() => import("./navigation-drawer.tsx").then((loaded) => loaded.NavigationDrawer));

function NarrowBar() {
  const { workspace } = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Stays when it is closed: its last act is to return the focus.
  const hasOpened = useHasBeen(open);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page or view closes the drawer
  useEffect(() => setOpen(false), [path, search]);
  return (
    <header className={css.bar}>
      <IconButton
        ref={button}
        label={t("Open navigation")}
        icon={<MenuIcon size={18} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      />
      {hasOpened && <NavigationDrawer open={open} onClose={() => setOpen(false)} opener={button} />}
      <span className={css.mark} aria-hidden>
        {initialOf(workspace.name)}
      </span>
      <span className={css.name}>{workspace.name}</span>
      <LiveIndicator />
    </header>
  );
}

function useHasBeen(isOn: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(isOn);
  if (isOn && !hasBeen) setHasBeen(true);
  return hasBeen;
}
