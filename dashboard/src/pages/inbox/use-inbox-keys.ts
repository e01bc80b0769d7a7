import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { tinykeys } from "tinykeys";
import { useLocation } from "wouter";
import { useChangeConversation, useReadState } from "../../api/conversations.ts";
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

/** Single keys work only outside of fields, menus and dialogs, so they never fight what somebody types. */
function isFree(event: KeyboardEvent): boolean {
  if (!areShortcutsOn() || event.defaultPrevented) return false;
  const target = event.target as HTMLElement | null;
  if (target?.closest("input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=listbox]"))
    return false;
  return document.querySelector("[role=dialog], [role=menu]") === null;
}

export function useInboxKeys(options: InboxKeysOptions): void {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { user } = useSession();
  const change = useChangeConversation();
  const readState = useReadState();
  const suggestion = useSuggestion(options.openId ?? 0);
  const latest = useRef(options);
  latest.current = options;
  const tools = useRef({ change, readState, suggestion, navigate, user });
  tools.current = { change, readState, suggestion, navigate, user };

  useEffect(() => {
    const acted = () => latest.current.openId ?? latest.current.selection.current;
    const move = (by: number) => {
      const { rows, selection, openId, onOpen } = latest.current;
      const ids = rows.current;
      const from = selection.current === null ? -1 : ids.indexOf(selection.current);
      const next = ids[Math.max(0, Math.min(ids.length - 1, from + by))];
      if (next === undefined) return;
      // At once: the next key, pressed quickly, must act on the row that this one chose.
      flushSync(() => selection.setCurrent(next));
      if (openId !== null) onOpen(next);
    };
    const set = (patch: Parameters<typeof change.mutate>[0]["change"], done: string) => {
      const id = acted();
      if (id === null) return;
      tools.current.change.mutate(
        { id, change: patch },
        { onSuccess: () => toast(done), onError: (error) => toast(error.message, { failed: true }) },
      );
    };
    const resolve = () => {
      const { openId, onDone } = latest.current;
      set({ status: "resolved" }, "Resolved");
      if (openId !== null) onDone(openId);
    };
    const compose = (kind: "Reply" | "Note") => {
      const tabs = document.querySelectorAll<HTMLElement>("[data-composer] [role=tab]");
      [...tabs].find((tab) => tab.textContent === kind)?.click();
      focusComposer();
    };
    const press = (selector: string) => {
      const button = document.querySelector<HTMLElement>(selector);
      button?.focus();
      // Radix opens its menus by this key.
      button?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    };
    const undo = () => {
      const held = lastHeld();
      if (held && takeBackMessage(held.key)) toast("Not sent. The message is back in its composer.");
    };
    const takeSuggestion = () => {
      const { openId } = latest.current;
      if (openId === null) return;
      const [first] = suggestionsOf(client.getQueryData<Draft[]>(draftKeys.list(openId)));
      if (first) void tools.current.suggestion.use(first);
    };
    const openCurrent = () => {
      const { selection, onOpen } = latest.current;
      if (selection.current !== null) onOpen(selection.current);
    };
    const go = (path: string) => tools.current.navigate(path);

    const single: Record<string, () => void> = {
      j: () => move(1),
      k: () => move(-1),
      // biome-ignore lint/complexity/useLiteralKeys: the names of keys, not of components
      ["Enter"]: openCurrent,
      // biome-ignore lint/complexity/useLiteralKeys: as above
      ["Escape"]: () => latest.current.onClose(),
      r: () => compose("Reply"),
      n: () => compose("Note"),
      e: resolve,
      s: () => press("#snooze-button"),
      a: () => press("#assign-button"),
      i: () => set({ assignee_id: tools.current.user.id }, "Assigned to you"),
      p: () => press("[aria-label=More]"),
      l: () => press("[aria-label=More]"),
      u: () => {
        const id = acted();
        if (id !== null)
          tools.current.readState.mutate({ id, read: null }, { onSuccess: () => toast("Marked as unread") });
      },
      x: () => {
        const { selection } = latest.current;
        if (selection.current !== null) selection.toggle(selection.current);
      },
      y: takeSuggestion,
      z: undo,
      "]": () => latest.current.onToggleContext(),
      "/": () => document.getElementById("inbox-search")?.focus(),
      "Shift+?": () => latest.current.onDialog("help"),
      "g i": () => go("/inbox"),
      "g c": () => go("/contacts"),
      "g o": () => go("/overview"),
      "g w": () => go("/settings/webhooks"),
      "g k": () => go("/settings/api-keys"),
    };
    const guarded = Object.fromEntries(
      Object.entries(single).map(([key, action]) => [
        key,
        (event: KeyboardEvent) => {
          if (!isFree(event)) return;
          // Enter on a link or button stays what it is.
          if (key === "Enter" && (event.target as HTMLElement).closest("a, button")) return;
          event.preventDefault();
          action();
        },
      ]),
    );
    const palette = (event: KeyboardEvent) => {
      event.preventDefault();
      latest.current.onDialog("palette");
    };
    return tinykeys(window, { ...guarded, "$mod+KeyK": palette });
  }, [client]);
}
