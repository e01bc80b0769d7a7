import { Check, Clock, Flag, RotateCcw, Tag, UserRound, X } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { useAssignable } from "../../../api/conversations.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Menu, MenuItem } from "../../../components/menu.tsx";
import { serverNow } from "../../../lib/server-clock.ts";
import { plural, t } from "../../../lib/texts.ts";
import { PRIORITIES, toPriority } from "../priority.tsx";
import { SNOOZE_CHOICES } from "../snooze.ts";
import type { InboxActions, MenuName } from "../use-inbox-actions.ts";
import css from "./list.module.css";
import type { InboxSelection } from "./selection.ts";

interface BulkBarProps {
  selection: InboxSelection;
  actions: InboxActions;
  /** The conversations that the list has loaded. */
  shown: readonly number[];
}

/** What can be done with every selected conversation at once. */
export function BulkBar({ selection, actions, shown }: BulkBarProps) {
  return (
    <div className={css.bulk} role="toolbar" aria-label={t("Selected conversations")}>
      <p className={css.bulkHead}>
        <strong>{plural(selection.selected.size, "{n} selected", "{n} selected")}</strong>
        {shown.some((id) => !selection.selected.has(id)) && (
          <Button size="small" variant="ghost" onClick={() => selection.select(shown)}>
            {t("Select all {n}", { n: shown.length })}
          </Button>
        )}
        <IconButton
          size="small"
          label={t("Clear selection")}
          icon={<X size={14} aria-hidden />}
          onClick={selection.clear}
        />
      </p>
      <Button size="small" icon={<Check size={14} aria-hidden />} onClick={() => actions.resolve("selected")}>
        {t("Resolve")}
      </Button>
      <Button size="small" icon={<RotateCcw size={14} aria-hidden />} onClick={() => actions.reopen("selected")}>
        {t("Open again")}
      </Button>
      <BulkMenu actions={actions} name="snooze" title={t("Snooze")} icon={<Clock size={14} aria-hidden />}>
        {SNOOZE_CHOICES.map(({ title, until }) => (
          <MenuItem key={title} onSelect={() => actions.snooze(until(serverNow()), "selected")}>
            {title}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => actions.chooseSnooze("selected")}>{t("Choose a time…")}</MenuItem>
      </BulkMenu>
      <AssignMenu actions={actions} />
      <Button size="small" icon={<Tag size={14} aria-hidden />} onClick={() => actions.editLabels("selected")}>
        {t("Labels")}
      </Button>
      <BulkMenu actions={actions} name="priority" title={t("Priority")} icon={<Flag size={14} aria-hidden />}>
        {PRIORITIES.map(({ value, title }) => (
          <MenuItem key={value} onSelect={() => actions.setPriority(toPriority(value), "selected")}>
            {title}
          </MenuItem>
        ))}
      </BulkMenu>
    </div>
  );
}

interface BulkMenuProps {
  actions: InboxActions;
  name: MenuName;
  title: string;
  icon: ReactElement;
  children: ReactNode;
}

const BulkMenu = ({ actions, name, title, icon, children }: BulkMenuProps) => (
  <Menu
    align="start"
    {...actions.menu(name, "selected")}
    trigger={
      <Button size="small" icon={icon}>
        {title}
      </Button>
    }
  >
    {children}
  </Menu>
);

function AssignMenu({ actions }: { actions: InboxActions }) {
  const people = useAssignable();
  return (
    <BulkMenu actions={actions} name="assign" title={t("Assign")} icon={<UserRound size={14} aria-hidden />}>
      <MenuItem onSelect={() => actions.assign(null, "selected")}>{t("Nobody")}</MenuItem>
      {people.data?.map((person) => (
        <MenuItem key={person.id} onSelect={() => actions.assign(person, "selected")}>
          {person.name}
        </MenuItem>
      ))}
    </BulkMenu>
  );
}
