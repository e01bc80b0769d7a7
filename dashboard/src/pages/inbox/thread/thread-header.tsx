import {
  ArrowLeft,
  Check,
  Clock,
  Flag,
  Mail,
  MoreHorizontal,
  PanelRight,
  RotateCcw,
  Tag,
  UserRound,
} from "lucide-react";
import { Link } from "wouter";
import {
  type Conversation,
  type ConversationChange,
  NOBODY,
  type Priority,
  useAssignable,
} from "../../../api/conversations.ts";
import { useSession } from "../../../api/session.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "../../../components/menu.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Avatar } from "../avatar.tsx";
import { titleOf } from "../names.ts";
import { PRIORITIES, PriorityIcon } from "../priority.tsx";
import { SNOOZE_CHOICES } from "../snooze.ts";
import css from "./thread.module.css";

interface ThreadHeaderProps {
  conversation: Conversation;
  back: string;
  onChange: (change: ConversationChange, done: string) => void;
  onUnread: () => void;
  onLabels: () => void;
  onContext: () => void;
}

export function ThreadHeader({ conversation, back, onChange, onUnread, onLabels, onContext }: ThreadHeaderProps) {
  const { status } = conversation;
  const isDone = status === "resolved";
  return (
    <header className={css.head}>
      <Link href={back} className={css.back} aria-label="Back to the list">
        <ArrowLeft size={16} aria-hidden />
      </Link>
      <div className={css.title}>
        <h1 title={titleOf(conversation)}>{titleOf(conversation)}</h1>
        <StatusBadge status={status} />
      </div>
      <div className={css.actions}>
        <AssignMenu conversation={conversation} onChange={onChange} />
        <PriorityMenu conversation={conversation} onChange={onChange} />
        <SnoozeMenu onChange={onChange} />
        <Button
          size="small"
          variant={isDone ? "secondary" : "primary"}
          icon={isDone ? <RotateCcw size={14} aria-hidden /> : <Check size={14} aria-hidden />}
          onClick={() =>
            isDone ? onChange({ status: "open" }, "Opened again") : onChange({ status: "resolved" }, "Resolved")
          }
        >
          {isDone ? "Open again" : "Resolve"}
        </Button>
        <Menu trigger={<IconButton size="small" label="More" icon={<MoreHorizontal size={16} aria-hidden />} />}>
          <MenuItem icon={<Tag size={14} aria-hidden />} onSelect={onLabels}>
            Labels
          </MenuItem>
          <MenuItem icon={<Mail size={14} aria-hidden />} onSelect={onUnread}>
            Mark as unread
          </MenuItem>
        </Menu>
        <IconButton
          size="small"
          label="Contact and details"
          icon={<PanelRight size={16} aria-hidden />}
          onClick={onContext}
        />
      </div>
    </header>
  );
}

const toPriority = (value: string): NonNullable<Priority> | "" =>
  value === "none" ? "" : (value as NonNullable<Priority>);

function AssignMenu({ conversation, onChange }: Pick<ThreadHeaderProps, "conversation" | "onChange">) {
  const people = useAssignable();
  const { user } = useSession();
  const { assignee } = conversation;
  return (
    <Menu
      trigger={
        <Button
          size="small"
          id="assign-button"
          icon={assignee ? <Avatar name={assignee.name} size="small" /> : <UserRound size={14} aria-hidden />}
        >
          <span className={css.assignee}>{assignee?.name ?? "Assign"}</span>
        </Button>
      }
    >
      {assignee?.id !== user.id && (
        <MenuItem onSelect={() => onChange({ assignee_id: user.id }, "Assigned to you")}>Assign to me</MenuItem>
      )}
      {assignee && <MenuItem onSelect={() => onChange({ assignee_id: NOBODY }, "Unassigned")}>Nobody</MenuItem>}
      <MenuSeparator />
      {people.data
        ?.filter(({ id }) => id !== user.id && id !== assignee?.id)
        .map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => onChange({ assignee_id: id }, `Assigned to ${name}`)}>
            {name}
          </MenuItem>
        ))}
    </Menu>
  );
}

function PriorityMenu({ conversation, onChange }: Pick<ThreadHeaderProps, "conversation" | "onChange">) {
  const { priority } = conversation;
  return (
    <Menu
      trigger={
        <IconButton
          size="small"
          id="priority-button"
          label={priority ? `Priority: ${priority}` : "Priority"}
          icon={priority ? <PriorityIcon priority={priority} isDecorative /> : <Flag size={16} aria-hidden />}
        />
      }
    >
      <MenuChoices
        label="Priority"
        value={priority ?? "none"}
        options={PRIORITIES}
        onChange={(value) => onChange({ priority: toPriority(value) }, "Priority changed")}
      />
    </Menu>
  );
}

function SnoozeMenu({ onChange }: Pick<ThreadHeaderProps, "onChange">) {
  return (
    <Menu
      trigger={<IconButton size="small" id="snooze-button" label="Snooze" icon={<Clock size={16} aria-hidden />} />}
    >
      {SNOOZE_CHOICES.map(({ title, until }) => (
        <MenuItem
          key={title}
          onSelect={() => {
            const at = until(new Date());
            onChange({ status: "snoozed", ...(at ? { snoozed_until: at.toISOString() } : {}) }, "Snoozed");
          }}
        >
          {title}
        </MenuItem>
      ))}
    </Menu>
  );
}
