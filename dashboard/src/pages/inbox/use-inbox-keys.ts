import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { tinykeys } from "tinykeys";
import { reasonOf } from "../../api/client.ts";
import { type ConversationChange, cachedConversation, useReadState } from "../../api/conversations.ts";
import { useSession } from "../../api/session.ts";
import { newestAction, toast } from "../../components/toast.tsx";
import { isFreeForShortcuts } from "../../lib/shortcuts.ts";
import { lastHeld, takeBackMessage } from "./composer/outbox.ts";
import type { InboxSelection } from "./list/selection.ts";
import { notChanged } from "./not-changed.ts";
import { focusComposer } from "./thread/thread.tsx";
import { type ChangeWithUndo, useChangeWithUndo } from "./use-change-with-undo.ts";

export type InboxDialog = "help" | "labels";

interface InboxKeysOptions {
  openId: number | null;
  rows: RefObject<number[]>;
  selection: InboxSelection;
  onOpen: (id: number) => void;
  onClose: () => void;
  /** Opens the conversation after this one. */
  onDone: (id: number) => void;
  onToggleContext: () => void;
  onDialog: (dialog: InboxDialog) => void;
}

/** What an action reads when its key is pressed. */
interface Inbox extends InboxKeysOptions {
  client: QueryClient;
  userId: number;
  change: ChangeWithUndo;
  readState: ReturnType<typeof useReadState>;
}

const APPEARS_WITHIN_MS = 3_000;

/** These work only outside of fields, menus and dialogs, so that they never interfere with typing. */
const SINGLE_KEYS: Record<string, (inbox: Inbox) => unknown> = {
  j: (inbox) => move(inbox, 1),
  k: (inbox) => move(inbox, -1),
  // biome-ignore lint/complexity/useLiteralKeys: the names of keys, not of components
  ["Enter"]: openCurrent,
  // biome-ignore lint/complexity/useLiteralKeys: as above
  ["Escape"]: (inbox) => (hasSelection(inbox) ? inbox.selection.clear() : inbox.onClose()),
  r: () => compose("Reply"),
  n: () => compose("Note"),
  e: resolve,
  s: (inbox) => openMenu(inbox, "snooze-button"),
  a: (inbox) => openMenu(inbox, "assign-button"),
  i: assignToMe,
  p: (inbox) => openMenu(inbox, "priority-button"),
  l: editLabels,
  u: markUnread,
  x: ({ selection }) => selection.current !== null && selection.toggle(selection.current),
  y: () => document.getElementById("use-suggestion-button")?.click(),
  z: undoLast,
  "]": ({ onToggleContext }) => onToggleContext(),
  "/": () => document.getElementById("inbox-search")?.focus(),
};

/** With these a keyboard may produce a sign that others have on a key of its own: German ones have / on Shift+7. */
const SIGN_MODIFIERS: Record<string, readonly string[]> = {
  "/": ["Shift+"],
  // AltGr; Windows reports it as Control and Alt.
  "]": ["Alt+", "Control+Alt+"],
};

export function useInboxKeys(options: InboxKeysOptions): void {
  const inbox: Inbox = {
    ...options,
    client: useQueryClient(),
    userId: useSession().user.id,
    change: useChangeWithUndo(),
    readState: useReadState(),
  };
  const latest = useRef(inbox);
  latest.current = inbox;

  useEffect(() => {
    const handlers = Object.entries(SINGLE_KEYS).flatMap(([key, act]) => {
      const handler = (event: KeyboardEvent) => {
        if (!isFreeForShortcuts(event)) return;
        // Enter on a link or button stays what it is.
        if (key === "Enter" && (event.target as HTMLElement).closest("a, button")) return;
        event.preventDefault();
        act(latest.current);
      };
      return ["", ...(SIGN_MODIFIERS[key] ?? [])].map((modifiers) => [modifiers + key, handler]);
    });
    return tinykeys(window, Object.fromEntries(handlers));
  }, []);
}

/** The conversation that a key changes: the open one, else the chosen row. */
const targetOf = ({ openId, selection }: Inbox): number | null => openId ?? selection.current;

function move({ rows, selection, openId, onOpen }: Inbox, by: number): void {
  const ids = rows.current;
  const from = selection.current === null ? -1 : ids.indexOf(selection.current);
  const next = ids[Math.max(0, Math.min(ids.length - 1, from + by))];
  if (next === undefined) return;
  // At once: the next key, pressed quickly, must act on the row that this one chose.
  flushSync(() => selection.setCurrent(next));
  if (openId !== null) onOpen(next);
}

function openCurrent({ selection, onOpen }: Inbox): void {
  if (selection.current !== null) onOpen(selection.current);
}

function changeConversation(inbox: Inbox, change: ConversationChange, done: string): void {
  const id = targetOf(inbox);
  if (id !== null) inbox.change(id, change, done);
}

const hasSelection = ({ selection }: Inbox): boolean => selection.selected.size > 0;

/** Does it with every selected conversation, by a button of the bar above the list. False: none is selected. */
function isDoneInBulk(inbox: Inbox, button: string): boolean {
  if (hasSelection(inbox)) document.getElementById(`bulk-${button}-button`)?.click();
  return hasSelection(inbox);
}

function resolve(inbox: Inbox): void {
  if (isDoneInBulk(inbox, "resolve")) return;
  changeConversation(inbox, { status: "resolved" }, "Resolved");
  if (inbox.openId !== null) inbox.onDone(inbox.openId);
}

function assignToMe(inbox: Inbox): void {
  if (!isDoneInBulk(inbox, "assign-to-me")) changeConversation(inbox, { assignee_id: inbox.userId }, "Assigned to you");
}

function editLabels(inbox: Inbox): void {
  if (!isDoneInBulk(inbox, "labels") && targetOf(inbox) !== null) inbox.onDialog("labels");
}

function markUnread(inbox: Inbox): void {
  const id = targetOf(inbox);
  if (isDoneInBulk(inbox, "unread") || id === null) return;
  const done = "Marked as unread";
  inbox.readState.mutate(
    { id, read: null },
    {
      onSuccess: () => toast(done),
      onError: (error) =>
        toast(`${notChanged(cachedConversation(inbox.client, id), done)}: ${reasonOf(error)}`, { failed: true }),
    },
  );
}

function compose(kind: "Reply" | "Note"): void {
  const tabs = document.querySelectorAll<HTMLElement>("[data-composer] [role=tab]");
  [...tabs].find((tab) => tab.textContent === kind)?.click();
  focusComposer();
}

/**
 * A menu of the header, or of the bar above the list while rows are selected. Of a row that is only chosen, the
 * conversation is opened first: its header has the menu.
 */
function openMenu(inbox: Inbox, id: string): void {
  if (press(hasSelection(inbox) ? `bulk-${id}` : id)) return;
  const { selection, onOpen } = inbox;
  if (selection.current === null) return;
  onOpen(selection.current);
  pressWhenThere(id);
}

function press(id: string): boolean {
  const button = document.getElementById(id);
  button?.focus();
  // Radix opens its menus by this key.
  button?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  return button !== null;
}

function pressWhenThere(id: string): void {
  const from = performance.now();
  const look = () => {
    if (!press(id) && performance.now() - from < APPEARS_WITHIN_MS) requestAnimationFrame(look);
  };
  look();
}

/** The last change that still offers it, or the last message that is not sent yet, whichever is newer. */
function undoLast({ onOpen }: Inbox): void {
  const held = lastHeld();
  const offered = newestAction();
  if (offered && (!held || offered.shownAt >= Date.parse(held.createdAt))) offered.run();
  else if (held && takeBackMessage(held.key)) {
    onOpen(held.conversation);
    toast(`Not sent. ${held.suggestion ? "The suggestion is offered again." : "The message is back in the composer."}`);
  } else toast("Nothing to undo");
}
