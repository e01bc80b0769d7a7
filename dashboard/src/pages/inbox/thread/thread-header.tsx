import { ArrowLeft, Check, Clock, Flag, PanelRight, RotateCcw, UserRound } from "lucide-react";
import { Link } from "wouter";
import { type Conversation, useAssignable } from "../../../api/conversations.ts";
import { useSession } from "../../../api/session.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "../../../components/menu.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { serverNow } from "../../../lib/server-clock.ts";
import { t } from "../../../lib/texts.ts";
import { Avatar } from "../avatar.tsx";
import { ChannelIcon } from "../channel-icon.tsx";
import { titleOf } from "../names.ts";
import { PRIORITIES, PriorityIcon, priorityName, toPriority } from "../priority.tsx";
import { SNOOZE_CHOICES } from "../snooze.ts";
import type { InboxActions } from "../use-inbox-actions.ts";
import { MoreMenu } from "./more-menu.tsx";
import css from "./thread.module.css";

interface ThreadHeaderProps {
  conversation: Conversation;
  back: string;
  actions: InboxActions;
}

export function ThreadHeader({ conversation, back, actions }: ThreadHeaderProps) {
  const { id, status } = conversation;
  const isDone = status === "resolved";
  return (
    <header className={css.head}>
      <Link href={back} className={css.back} aria-label={t("Back to the list")}>
        <ArrowLeft size={16} aria-hidden />
      </Link>
      <div className={css.title}>
        <h1 title={titleOf(conversation)}>{titleOf(conversation)}</h1>
        <ChannelIcon channel={conversation.channel} size={14} />
        <StatusBadge status={status} />
      </div>
      <div className={css.actions}>
        <AssignMenu conversation={conversation} actions={actions} />
        <PriorityMenu conversation={conversation} actions={actions} />
        <SnoozeMenu id={id} actions={actions} />
        <Button
          size="small"
          variant={isDone ? "secondary" : "primary"}
          icon={isDone ? <RotateCcw size={14} aria-hidden /> : <Check size={14} aria-hidden />}
          onClick={() => (isDone ? actions.reopen(id) : actions.resolve(id))}
        >
          {isDone ? t("Open again") : t("Resolve")}
        </Button>
        <MoreMenu id={id} actions={actions} />
        <IconButton
          size="small"
          label={t("Contact and details")}
          icon={<PanelRight size={16} aria-hidden />}
          onClick={actions.toggleDetails}
        />
      </div>
    </header>
  );
}

function AssignMenu({ conversation, actions }: Pick<ThreadHeaderProps, "conversation" | "actions">) {
  const people = useAssignable();
  const { user } = useSession();
  const { id, assignee } = conversation;
  return (
    <Menu
      {...actions.menu("assign", id)}
      trigger={
        <Button
          size="small"
          id="assign-button"
          icon={assignee ? <Avatar name={assignee.name} size="small" /> : <UserRound size={14} aria-hidden />}
        >
          <span className={css.assignee}>{assignee?.name ?? t("Assign")}</span>
        </Button>
      }
    >
      {assignee?.id !== user.id && <MenuItem onSelect={() => actions.assignToMe(id)}>{t("Assign to me")}</MenuItem>}
      {assignee && <MenuItem onSelect={() => actions.assign(null, id)}>{t("Nobody")}</MenuItem>}
      <MenuSeparator />
      {people.data
        ?.filter((person) => person.id !== user.id && person.id !== assignee?.id)
        .map((person) => (
          <MenuItem key={person.id} onSelect={() => actions.assign(person, id)}>
            {person.name}
          </MenuItem>
        ))}
    </Menu>
  );
}

function PriorityMenu({ conversation, actions }: Pick<ThreadHeaderProps, "conversation" | "actions">) {
  const { id, priority } = conversation;
  return (
    <Menu
      {...actions.menu("priority", id)}
      trigger={
        <IconButton
          size="small"
          label={priority ? priorityName(priority) : t("Priority")}
          icon={priority ? <PriorityIcon priority={priority} isDecorative /> : <Flag size={16} aria-hidden />}
        />
      }
    >
      <MenuChoices
        label={t("Priority")}
        value={priority ?? "none"}
        options={PRIORITIES}
        onChange={(value) => actions.setPriority(toPriority(value), id)}
      />
    </Menu>
  );
}

function SnoozeMenu({ id, actions }: { id: number; actions: InboxActions }) {
  return (
    <Menu
      {...actions.menu("snooze", id)}
      trigger={<IconButton size="small" label={t("Snooze")} icon={<Clock size={16} aria-hidden />} />}
    >
      {SNOOZE_CHOICES.map(({ title, until }) => (
        <MenuItem key={title} onSelect={() => actions.snooze(until(serverNow()), id)}>
          {title}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => actions.chooseSnooze(id)}>{t("Choose a time…")}</MenuItem>
    </Menu>
  );
}
