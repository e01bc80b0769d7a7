import { ChevronsUpDown, Plus } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useSession } from "../api/session.ts";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "../components/menu.tsx";
import { t } from "../lib/texts.ts";
import { workspaceHref } from "../lib/workspace.ts";
import css from "./app-shell.module.css";
import { initialOf } from "./initial.ts";
import { NewWorkspaceDialog } from "./new-workspace-dialog.tsx";

export function WorkspaceSwitcher() {
  const { workspace, workspaces, role } = useSession();
  const [, navigate] = useLocation();
  const [creating, setCreating] = useState(false);
  const open = (id: number) => id !== workspace.id && navigate(`~${workspaceHref(id)}`);
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button type="button" className={css.switcher}>
            <span className={css.mark} aria-hidden>
              {initialOf(workspace.name)}
            </span>
            <span className={css.names}>
              <span className={css.name}>{workspace.name}</span>
              <span className={css.detail}>{t("Workspace")}</span>
            </span>
            <ChevronsUpDown size={14} aria-hidden />
          </button>
        }
      >
        <MenuChoices
          label={t("Workspaces")}
          value={String(workspace.id)}
          options={workspaces.map(({ id, name }) => ({ value: String(id), title: name }))}
          onChange={(id) => open(Number(id))}
        />
        {role === "owner" && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Plus size={14} aria-hidden />} onSelect={() => setCreating(true)}>
              {t("New workspace")}
            </MenuItem>
          </>
        )}
      </Menu>
      {creating && <NewWorkspaceDialog onClose={() => setCreating(false)} onCreated={open} />}
    </>
  );
}
