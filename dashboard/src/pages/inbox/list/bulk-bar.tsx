import { useQueryClient } from "@tanstack/react-query";
import { Check, Clock, Flag, RotateCcw, Tag, UserRound, X } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import {
  type BulkChange,
  cachedConversation,
  NOBODY,
  type Priority,
  useAssignable,
} from "../../../api/conversations.ts";
import { useSession } from "../../../api/session.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Menu, MenuItem } from "../../../components/menu.tsx";
import { PRIORITIES } from "../priority.tsx";
import { SNOOZE_CHOICES } from "../snooze.ts";
import { countOf, useChangeSelected, useMarkSelectedUnread } from "./bulk-change.ts";
import { BulkLabelDialog } from "./bulk-label-dialog.tsx";
import css from "./list.module.css";
import type { InboxSelection } from "./selection.ts";

interface BulkBarProps {
  selection: InboxSelection;
  /** The conversations that the list has loaded. */
  shown: readonly number[];
}

type Run = (set: BulkChange, done: string) => Promise<void>;

/** What can be done with every selected conversation at once. */
export function BulkBar({ selection, shown }: BulkBarProps) {
  const run = useChangeSelected(selection);
  const markUnread = useMarkSelectedUnread(selection);
  const { user } = useSession();
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
      <BulkMenu name="snooze" title="Snooze" icon={<Clock size={14} aria-hidden />}>
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
      </BulkMenu>
      <AssignMenu run={run} />
      <BulkLabels selection={selection} run={run} />
      <BulkMenu name="priority" title="Priority" icon={<Flag size={14} aria-hidden />}>
        {PRIORITIES.map(({ value, title }) => (
          <MenuItem key={value} onSelect={() => run({ priority: toPriority(value) }, "changed")}>
            {title}
          </MenuItem>
        ))}
      </BulkMenu>
      {/* What only keys do. */}
      <button
        type="button"
        hidden
        id="bulk-assign-to-me-button"
        onClick={() => run({ assignee_id: user.id }, "assigned to you")}
      />
      <button type="button" hidden id="bulk-unread-button" onClick={markUnread} />
    </div>
  );
}

const toPriority = (value: NonNullable<Priority> | "none"): NonNullable<Priority> | "" =>
  value === "none" ? "" : value;

/** `name`: the keys find its button by it. */
const BulkMenu = (props: { name: string; title: string; icon: ReactElement; children: ReactNode }) => (
  <Menu
    align="start"
    trigger={
      <Button size="small" id={`bulk-${props.name}-button`} icon={props.icon}>
        {props.title}
      </Button>
    }
  >
    {props.children}
  </Menu>
);

function AssignMenu({ run }: { run: Run }) {
  const people = useAssignable();
  return (
    <BulkMenu name="assign" title="Assign" icon={<UserRound size={14} aria-hidden />}>
      <MenuItem onSelect={() => run({ assignee_id: NOBODY }, "unassigned")}>Nobody</MenuItem>
      {people.data?.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => run({ assignee_id: id }, `assigned to ${name}`)}>
          {name}
        </MenuItem>
      ))}
    </BulkMenu>
  );
}

function BulkLabels({ selection, run }: { selection: InboxSelection; run: Run }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const ids = [...selection.selected];
  const present = new Set(ids.flatMap((id) => cachedConversation(client, id)?.labels ?? []));
  return (
    <>
      <Button size="small" id="bulk-labels-button" icon={<Tag size={14} aria-hidden />} onClick={() => setOpen(true)}>
        Labels
      </Button>
      {isOpen && (
        <BulkLabelDialog
          title={`Labels of ${countOf(ids)}`}
          present={[...present].sort()}
          onClose={() => setOpen(false)}
          onSave={({ add, remove }) =>
            run(
              {
                ...(add.length > 0 ? { add_labels: add } : {}),
                ...(remove.length > 0 ? { remove_labels: remove } : {}),
              },
              "changed",
            )
          }
        />
      )}
    </>
  );
}
