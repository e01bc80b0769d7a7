import { ChevronsUpDown, Plus } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useSession, useSwitchWorkspace } from "../api/session.ts";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "../components/menu.tsx";
import { toast } from "../components/toast.tsx";
import css from "./app-shell.module.css";
import { initialOf } from "./initial.ts";
import { NewWorkspaceDialog } from "./new-workspace-dialog.tsx";

export function WorkspaceSwitcher() {
  const { workspace, workspaces, role } = useSession();
  const switchTo = useSwitchWorkspace();
  const [, navigate] = useLocation();
  const [creating, setCreating] = useState(false);
  const change = async (uuid: string) => {
    if (uuid === workspace.uuid) return;
    try {
      await switchTo(uuid);
      navigate("/");
    } catch (error) {
      toast((error as Error).message, { failed: true });
    }
  };
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
              <span className={css.detail}>Workspace</span>
            </span>
            <ChevronsUpDown size={14} aria-hidden />
          </button>
        }
      >
        <MenuChoices
          label="Workspaces"
          value={workspace.uuid}
          options={workspaces.map(({ uuid, name }) => ({ value: uuid, title: name }))}
          onChange={change}
        />
        {role === "owner" && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Plus size={14} aria-hidden />} onSelect={() => setCreating(true)}>
              New workspace
            </MenuItem>
          </>
        )}
      </Menu>
      {creating && <NewWorkspaceDialog onClose={() => setCreating(false)} onCreated={change} />}
    </>
  );
}
