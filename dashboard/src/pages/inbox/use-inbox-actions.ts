import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type ApiError, reasonOf } from "../../api/client.ts";
import {
  type BulkChange,
  type ConversationChange,
  cachedConversation,
  NOBODY,
  type Priority,
  setReadState,
} from "../../api/conversations.ts";
import { useSession } from "../../api/session.ts";
import { newestAction, toast } from "../../components/toast.tsx";
import { plural, t } from "../../lib/texts.ts";
import { lastHeld, type Outbox, takeBackMessage, useOutbox } from "./composer/outbox.ts";
import type { InboxSelection } from "./list/selection.ts";
import { notChanged } from "./not-changed.ts";
import { copyLinkTo, downloadConversation, printConversation } from "./share.ts";
import type { ThreadHandle } from "./thread/thread-handle.ts";
import { type ChangeWithUndo, useChangeWithUndo } from "./use-change-with-undo.ts";

/** What an action is for: one conversation, or all that are selected. */
type Target = number | "selected";

export type MenuName = "assign" | "priority" | "snooze";

/** What lies over the inbox. */
type Overlay =
  | { kind: "help" }
  | { kind: "labels" | "snooze-time"; target: Target }
  | { kind: MenuName; target: Target };

interface InboxOptions {
  openId: number | null;
  /** The conversations in the order shown. */
  rows: RefObject<number[]>;
  selection: InboxSelection;
  onOpen: (id: number) => void;
  onClose: () => void;
  /** Opens the conversation after this one. */
  onDone: (id: number) => void;
  onToggleDetails: () => void;
}

interface Inbox extends InboxOptions {
  outbox: Outbox;
  client: QueryClient;
  userId: number;
  change: ChangeWithUndo;
  thread: RefObject<ThreadHandle | null>;
  overlay: Overlay | null;
  setOverlay: (overlay: Overlay | null) => void;
}

export type InboxActions = ReturnType<typeof actionsOn>;

/** Everything that can be done in the inbox, by name: buttons, keys and the bar above the list call the same. */
export function useInboxActions(options: InboxOptions): InboxActions {
  const client = useQueryClient();
  const userId = useSession().user.id;
  const change = useChangeWithUndo();
  const outbox = useOutbox();
  const thread = useRef<ThreadHandle>(null);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const { openId } = options;
  // A menu that was asked for in a conversation which could not be shown does not open in the next one.
  useEffect(() => {
    setOverlay((now) => (now && "target" in now && now.target !== "selected" && now.target !== openId ? null : now));
  }, [openId]);
  return actionsOn({ ...options, outbox, client, userId, change, thread, overlay, setOverlay });
}

function actionsOn(inbox: Inbox) {
  const { thread, selection, overlay, setOverlay, openId } = inbox;
  return {
    /** Held by the list and by the thread, which have what these actions focus. */
    thread,
    overlay,
    ...movesIn(inbox),
    ...changesIn(inbox),
    compose: (kind: "reply" | "note") => thread.current?.compose(kind),
    sendSuggestion: () => thread.current?.sendSuggestion(),
    toggleDetails: inbox.onToggleDetails,
    toggleSelected: () => selection.current !== null && selection.toggle(selection.current),
    showHelp: () => setOverlay({ kind: "help" }),
    closeOverlay: () => setOverlay(null),
    editLabels(target = targetOf(inbox)) {
      if (target !== null) setOverlay({ kind: "labels", target });
    },
    /** Asks until when. */
    chooseSnooze: (target: Target) => setOverlay({ kind: "snooze-time", target }),
    /** Of a row that is only chosen, the conversation is opened first: its header has the menu. */
    openMenu(kind: MenuName) {
      const target = targetOf(inbox);
      if (target === null) return;
      if (target !== "selected" && target !== openId) inbox.onOpen(target);
      setOverlay({ kind, target });
    },
    /** The properties of the menu that `openMenu` opens. */
    menu: (kind: MenuName, target: Target) => ({
      open: overlay?.kind === kind && overlay.target === target,
      onOpenChange: (open: boolean) => setOverlay(open ? { kind, target } : null),
    }),
    copyLink: (id: number) => copyLinkTo({ conversation: id }),
    download: downloadConversation,
    print: printConversation,
    undo: () => undoLast(inbox),
  };
}

/** What a key changes: all that are selected, else the open conversation, else the chosen row. */
const targetOf = ({ selection, openId }: Inbox): Target | null =>
  selection.selected.size > 0 ? "selected" : (openId ?? selection.current);

function movesIn({ rows, selection, openId, onOpen, onClose, onDone }: Inbox) {
  return {
    open: onOpen,
    done: onDone,
    move(by: 1 | -1) {
      const ids = rows.current;
      const from = selection.current === null ? -1 : ids.indexOf(selection.current);
      const next = ids[Math.max(0, Math.min(ids.length - 1, from + by))];
      if (next === undefined) return;
      // The list is meant from here on: Enter opens its row, and not the link that was clicked before.
      (document.activeElement as HTMLElement | null)?.blur();
      // At once: the next key, pressed quickly, must act on the row that this one chose.
      flushSync(() => selection.setCurrent(next));
      if (openId !== null) onOpen(next);
    },
    openCurrent() {
      if (selection.current !== null) onOpen(selection.current);
    },
    back: () => (selection.selected.size > 0 ? selection.clear() : onClose()),
  };
}

/** `one`: what is said about one conversation; `many`: about several. */
interface Said {
  one: string;
  many: (n: number) => string;
}

const CHANGED = (n: number): string => plural(n, "{n} conversation changed", "{n} conversations changed");

/** Each is for what the keys change unless it is given another target. */
function changesIn(inbox: Inbox) {
  const change = (set: ConversationChange, said: Said, target = targetOf(inbox)) => {
    if (target === "selected") changeSelected(inbox, { set, done: said.many });
    else if (target !== null) inbox.change(target, set, said.one);
  };
  const resolve = (target?: Target) =>
    change(
      { status: "resolved" },
      {
        one: t("Resolved"),
        many: (n) => plural(n, "{n} conversation resolved", "{n} conversations resolved"),
      },
      target,
    );
  const assign = (person: { id: number; name: string } | null, target?: Target) => {
    const name = person?.name ?? "";
    return person === null
      ? change(
          { assignee_id: NOBODY },
          {
            one: t("Unassigned"),
            many: (n) => plural(n, "{n} conversation unassigned", "{n} conversations unassigned"),
          },
          target,
        )
      : change(
          { assignee_id: person.id },
          {
            one: t("Assigned to {name}", { name }),
            many: (n) =>
              plural(n, "{n} conversation assigned to {name}", "{n} conversations assigned to {name}", { name }),
          },
          target,
        );
  };
  return {
    resolve,
    /** As one works through a list. */
    resolveAndContinue() {
      const target = targetOf(inbox);
      resolve();
      if (target !== "selected" && inbox.openId !== null) inbox.onDone(inbox.openId);
    },
    reopen: (target?: Target) =>
      change(
        { status: "open" },
        {
          one: t("Opened again"),
          many: (n) => plural(n, "{n} conversation opened", "{n} conversations opened"),
        },
        target,
      ),
    /** Null: until the contact writes. */
    snooze: (until: Date | null, target?: Target) =>
      change(
        { status: "snoozed", ...(until ? { snoozed_until: until.toISOString() } : {}) },
        { one: t("Snoozed"), many: (n) => plural(n, "{n} conversation snoozed", "{n} conversations snoozed") },
        target,
      ),
    assign,
    assignToMe: (target?: Target) => assign({ id: inbox.userId, name: t("you") }, target),
    setPriority: (priority: Priority, target?: Target) =>
      change({ priority: priority ?? "" }, { one: t("Priority changed"), many: CHANGED }, target),
    changeLabelsOfSelected: (set: Pick<BulkChange, "add_labels" | "remove_labels">) =>
      changeSelected(inbox, { set, done: CHANGED }),
    markUnread: (target = targetOf(inbox)) => markUnread(inbox, target),
  };
}

function changeSelected({ client, selection }: Inbox, change: { set: BulkChange; done: Said["many"] }): void {
  withBulk((bulk) => bulk.changeSelected(client, selection, change));
}

/** Loaded with the bar above the list, which is there as soon as something is selected. */
function withBulk(act: (bulk: typeof import("./list/bulk-change.ts")) => Promise<void>): void {
  import("./list/bulk-change.ts")
    .then(act)
    .catch(() => toast(t("Nothing was changed. Check your connection and try again."), { failed: true }));
}

function markUnread({ client, selection, thread, openId }: Inbox, target: Target | null): void {
  if (target === "selected") withBulk((bulk) => bulk.markSelectedUnread(client, selection));
  if (target === null || target === "selected") return;
  const done = t("Marked as unread");
  if (target === openId) thread.current?.pauseReading();
  setReadState(client, { id: target, read: null }).then(
    () => toast(done),
    (error: ApiError) =>
      toast(`${notChanged(cachedConversation(client, target), done)}: ${reasonOf(error)}`, { failed: true }),
  );
}

/** The last change that still offers it, or the last message that is not sent yet, whichever is newer. */
function undoLast({ onOpen, outbox }: Inbox): void {
  const held = lastHeld(outbox);
  const offered = newestAction();
  if (offered && (!held || offered.shownAt >= Date.parse(held.createdAt))) offered.run();
  else if (held && takeBackMessage(outbox, held.key)) {
    onOpen(held.conversation);
    toast(
      held.suggestion
        ? t("Not sent. The suggestion is offered again.")
        : t("Not sent. The message is back in the composer."),
    );
  } else toast(t("Nothing to undo"));
}
