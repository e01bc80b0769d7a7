import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { tinykeys } from "tinykeys";
import { useLocation } from "wouter";
import { type ConversationChange, useChangeConversation, useReadState } from "../../api/conversations.ts";
import { type Draft, suggestionsOf } from "../../api/drafts.ts";
import { draftKeys } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.ts";
import { toast } from "../../components/toast.tsx";
import { areShortcutsOn } from "../../lib/shortcuts.ts";
import type { InboxSelection } from "./inbox-state.ts";
import { lastHeld, takeBackMessage } from "./outbox.ts";
import { focusComposer } from "./thread.tsx";
import { useSuggestion } from "./use-suggestion.ts";

interface InboxKeysOptions {
  openId: number | null;
  rows: RefObject<number[]>;
  selection: InboxSelection;
  onOpen: (id: number) => void;
  onClose: () => void;
  /** Opens the conversation after this one. */
  onDone: (id: number) => void;
  onToggleContext: () => void;
  onDialog: (dialog: "help" | "palette") => void;
}

/** What an action reads when its key is pressed. */
interface Inbox extends InboxKeysOptions {
  client: QueryClient;
  userId: number;
  navigate: (path: string) => void;
  change: ReturnType<typeof useChangeConversation>;
  readState: ReturnType<typeof useReadState>;
  suggestion: ReturnType<typeof useSuggestion>;
}

/** These work only outside of fields, menus and dialogs, so that they never interfere with typing. */
const SINGLE_KEYS: Record<string, (inbox: Inbox) => void> = {
  j: (inbox) => move(inbox, 1),
  k: (inbox) => move(inbox, -1),
  // biome-ignore lint/complexity/useLiteralKeys: the names of keys, not of components
  ["Enter"]: openCurrent,
  // biome-ignore lint/complexity/useLiteralKeys: as above
  ["Escape"]: ({ onClose }) => onClose(),
  r: () => compose("Reply"),
  n: () => compose("Note"),
  e: resolve,
  s: () => openMenu("#snooze-button"),
  a: () => openMenu("#assign-button"),
  i: (inbox) => changeConversation(inbox, { assignee_id: inbox.userId }, "Assigned to you"),
  p: () => openMenu("[aria-label=More]"),
  l: () => openMenu("[aria-label=More]"),
  u: markUnread,
  x: ({ selection }) => selection.current !== null && selection.toggle(selection.current),
  y: sendFirstSuggestion,
  z: takeBackLast,
  "]": ({ onToggleContext }) => onToggleContext(),
  "/": () => document.getElementById("inbox-search")?.focus(),
  "Shift+?": ({ onDialog }) => onDialog("help"),
  "g i": ({ navigate }) => navigate("/inbox"),
  "g c": ({ navigate }) => navigate("/contacts"),
  "g o": ({ navigate }) => navigate("/overview"),
  "g w": ({ navigate }) => navigate("/settings/webhooks"),
  "g k": ({ navigate }) => navigate("/settings/api-keys"),
};

export function useInboxKeys(options: InboxKeysOptions): void {
  const [, navigate] = useLocation();
  const inbox: Inbox = {
    ...options,
    client: useQueryClient(),
    userId: useSession().user.id,
    navigate,
    change: useChangeConversation(),
    readState: useReadState(),
    suggestion: useSuggestion(options.openId ?? 0),
  };
  const latest = useRef(inbox);
  latest.current = inbox;

  useEffect(() => {
    const handlers = Object.entries(SINGLE_KEYS).map(([key, act]) => [
      key,
      (event: KeyboardEvent) => {
        if (!isFree(event)) return;
        // Enter on a link or button stays what it is.
        if (key === "Enter" && (event.target as HTMLElement).closest("a, button")) return;
        event.preventDefault();
        act(latest.current);
      },
    ]);
    const openPalette = (event: KeyboardEvent) => {
      event.preventDefault();
      latest.current.onDialog("palette");
    };
    return tinykeys(window, { ...Object.fromEntries(handlers), "$mod+KeyK": openPalette });
  }, []);
}

function isFree(event: KeyboardEvent): boolean {
  if (!areShortcutsOn() || event.defaultPrevented) return false;
  const target = event.target as HTMLElement | null;
  if (target?.closest("input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=listbox]"))
    return false;
  return document.querySelector("[role=dialog], [role=menu]") === null;
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
  if (id === null) return;
  inbox.change.mutate(
    { id, change },
    { onSuccess: () => toast(done), onError: (error) => toast(error.message, { failed: true }) },
  );
}

function resolve(inbox: Inbox): void {
  changeConversation(inbox, { status: "resolved" }, "Resolved");
  if (inbox.openId !== null) inbox.onDone(inbox.openId);
}

function markUnread(inbox: Inbox): void {
  const id = targetOf(inbox);
  if (id !== null) inbox.readState.mutate({ id, read: null }, { onSuccess: () => toast("Marked as unread") });
}

function compose(kind: "Reply" | "Note"): void {
  const tabs = document.querySelectorAll<HTMLElement>("[data-composer] [role=tab]");
  [...tabs].find((tab) => tab.textContent === kind)?.click();
  focusComposer();
}

function openMenu(selector: string): void {
  const button = document.querySelector<HTMLElement>(selector);
  button?.focus();
  // Radix opens its menus by this key.
  button?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
}

function sendFirstSuggestion({ openId, client, suggestion }: Inbox): void {
  if (openId === null) return;
  const [first] = suggestionsOf(client.getQueryData<Draft[]>(draftKeys.list(openId)));
  if (first) void suggestion.use(first);
}

function takeBackLast(): void {
  const held = lastHeld();
  if (held && takeBackMessage(held.key)) toast("Not sent. The message is back in its composer.");
}
