import { ChevronsUpDown, CircleUser, LogOut, Monitor, MonitorX, Moon, ShieldCheck, Sun } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useSession, useSignOut } from "../api/session.ts";
import { ConfirmDialog } from "../components/dialog.tsx";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "../components/menu.tsx";
import { toast } from "../components/toast.tsx";
import { cx } from "../lib/cx.ts";
import { finishOwnWork } from "../lib/own-work.ts";
import { plural, t } from "../lib/texts.ts";
import { setTheme, type Theme, useTheme } from "../lib/theme.ts";
import css from "./app-shell.module.css";
import { initialOf } from "./initial.ts";

const THEMES: readonly { value: Theme; title: string; icon: React.ReactNode }[] = [
  { value: "system", title: t("System"), icon: <Monitor size={14} aria-hidden /> },
  { value: "light", title: t("Light"), icon: <Sun size={14} aria-hidden /> },
  { value: "dark", title: t("Dark"), icon: <Moon size={14} aria-hidden /> },
];

export function ProfileMenu() {
  const { user, has_password } = useSession();
  const theme = useTheme();
  const signOut = useSignOut();
  const signOutEverywhere = useSignOut({ everywhere: true });
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState<"here" | "everywhere" | null>(null);
  const [left, setLeft] = useState(0);
  const signOutHere = () => signOut.mutate(undefined, { onError: ({ message }) => toast(message, { failed: true }) });
  const leave = async (where: "here" | "everywhere") => {
    const notSent = await finishOwnWork();
    setLeft(notSent);
    if (where === "here" && notSent === 0) signOutHere();
    else setAsking(where);
  };
  return (
    <>
      <Menu
        align="start"
        side="top"
        trigger={
          <button type="button" className={css.switcher}>
            <span className={cx(css.mark, css.avatar)} aria-hidden>
              {initialOf(user.name)}
            </span>
            <span className={css.names}>
              <span className={css.name}>{user.name}</span>
              <span className={css.detail}>{user.email}</span>
            </span>
            <ChevronsUpDown size={14} aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<CircleUser size={14} aria-hidden />} onSelect={() => navigate("/profile")}>
          {has_password ? t("Profile and password") : t("Profile")}
        </MenuItem>
        <MenuItem icon={<ShieldCheck size={14} aria-hidden />} onSelect={() => navigate("/security")}>
          {t("Account security")}
        </MenuItem>
        <MenuSeparator />
        <MenuChoices label={t("Theme")} value={theme} options={THEMES} onChange={setTheme} />
        <MenuSeparator />
        <MenuItem icon={<LogOut size={14} aria-hidden />} onSelect={() => void leave("here")}>
          {t("Sign out")}
        </MenuItem>
        <MenuItem icon={<MonitorX size={14} aria-hidden />} onSelect={() => void leave("everywhere")}>
          {t("Sign out everywhere")}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={asking === "here"}
        onClose={() => setAsking(null)}
        onConfirm={signOutHere}
        busy={signOut.isPending}
        title={t("Sign out without sending?")}
        confirm={t("Sign out")}
      >
        <NotSent count={left} />
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "everywhere"}
        onClose={() => setAsking(null)}
        onConfirm={() => signOutEverywhere.mutate()}
        busy={signOutEverywhere.isPending}
        error={signOutEverywhere.error}
        title={t("Sign out everywhere?")}
        confirm={t("Sign out everywhere")}
      >
        <p>{t("Every browser you are signed in with is signed out at once, this one too. API keys keep working.")}</p>
        {left > 0 && <NotSent count={left} />}
      </ConfirmDialog>
    </>
  );
}

const NotSent = ({ count }: { count: number }) => (
  <p>
    {plural(
      count,
      "A message or draft could not be sent or saved. If you sign out now, what was written is lost.",
      "{n} messages or drafts could not be sent or saved. If you sign out now, what was written is lost.",
    )}
  </p>
);
