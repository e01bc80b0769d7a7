import { Check, Clock, RotateCcw, UserRound, X } from "lucide-react";
import { type BulkChange, useAssignable, useBulkChange } from "../../api/conversations.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Menu, MenuItem } from "../../components/menu.tsx";
import { toast } from "../../components/toast.tsx";
import type { InboxSelection } from "./inbox-state.ts";
import css from "./list.module.css";
import { SNOOZE_CHOICES } from "./snooze.ts";

const BATCH = 100;

interface BulkBarProps {
  selection: InboxSelection;
  /** The conversations that the list has loaded. */
  shown: readonly number[];
}

/** What can be done with every ticked conversation at once. Those that fail stay ticked. */
export function BulkBar({ selection, shown }: BulkBarProps) {
  const bulk = useBulkChange();
  const people = useAssignable();
  const run = async (set: BulkChange, done: string) => {
    const ids = [...selection.selected];
    selection.clear();
    let failed = 0;
    for (let from = 0; from < ids.length; from += BATCH) {
      const result = await bulk.mutateAsync({ ids: ids.slice(from, from + BATCH), set }).catch(() => null);
      const refused = result ? result.failed.map(({ id }) => id) : ids.slice(from, from + BATCH);
      failed += refused.length;
      for (const id of refused) selection.toggle(id);
    }
    if (failed > 0) toast(`${failed} of ${ids.length} could not be changed`, { failed: true });
    else toast(`${ids.length} ${ids.length === 1 ? "conversation" : "conversations"} ${done}`);
  };
  return (
    <div className={css.bulk} role="toolbar" aria-label="Selected conversations">
      <p className={css.bulkHead}>
        <strong>{selection.selected.size} selected</strong>
        {shown.some((id) => !selection.selected.has(id)) && (
          <Button size="small" variant="ghost" onClick={() => selection.select(shown)}>
            Select all {shown.length}
          </Button>
        )}
        <IconButton size="small" label="Clear selection" icon={<X size={14} aria-hidden />} onClick={selection.clear} />
      </p>
      <Button
        size="small"
        id="bulk-resolve-button"
        icon={<Check size={14} aria-hidden />}
        onClick={() => run({ status: "resolved" }, "resolved")}
      >
        Resolve
      </Button>
      <Button size="small" icon={<RotateCcw size={14} aria-hidden />} onClick={() => run({ status: "open" }, "opened")}>
        Open
      </Button>
      <Menu
        align="start"
        trigger={
          <Button size="small" id="bulk-snooze-button" icon={<Clock size={14} aria-hidden />}>
            Snooze
          </Button>
        }
      >
        {SNOOZE_CHOICES.map(({ title, until }) => (
          <MenuItem
            key={title}
            onSelect={() => {
              const at = until(new Date());
              void run({ status: "snoozed", ...(at ? { snoozed_until: at.toISOString() } : {}) }, "snoozed");
            }}
          >
            {title}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        align="start"
        trigger={
          <Button size="small" id="bulk-assign-button" icon={<UserRound size={14} aria-hidden />}>
            Assign
          </Button>
        }
      >
        <MenuItem onSelect={() => run({ assignee_id: null }, "unassigned")}>Nobody</MenuItem>
        {people.data?.map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => run({ assignee_id: id }, `assigned to ${name}`)}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
