import { useEffect, useEffectEvent } from "react";
import { tinykeys } from "tinykeys";
import { isFreeForShortcuts } from "../../lib/shortcuts.ts";
import type { InboxActions } from "./use-inbox-actions.ts";

/** These work only outside of fields, menus and dialogs, so that they never interfere with typing. */
const SINGLE_KEYS: Record<string, (inbox: InboxActions) => unknown> = {
  j: (inbox) => inbox.move(1),
  k: (inbox) => inbox.move(-1),
  // biome-ignore lint/complexity/useLiteralKeys: the names of keys, not of components
  ["Enter"]: (inbox) => inbox.openCurrent(),
  // biome-ignore lint/complexity/useLiteralKeys: as above
  ["Escape"]: (inbox) => inbox.back(),
  r: (inbox) => inbox.compose("reply"),
  n: (inbox) => inbox.compose("note"),
  e: (inbox) => inbox.resolveAndContinue(),
  s: (inbox) => inbox.openMenu("snooze"),
  a: (inbox) => inbox.openMenu("assign"),
  i: (inbox) => inbox.assignToMe(),
  p: (inbox) => inbox.openMenu("priority"),
  l: (inbox) => inbox.editLabels(),
  u: (inbox) => inbox.markUnread(),
  x: (inbox) => inbox.toggleSelected(),
  y: (inbox) => inbox.sendSuggestion(),
  z: (inbox) => inbox.undo(),
  "]": (inbox) => inbox.toggleDetails(),
};

/** With these a keyboard may produce a sign that others have on a key of its own. */
const SIGN_MODIFIERS: Record<string, readonly string[]> = {
  // AltGr; Windows reports it as Control and Alt.
  "]": ["Alt+", "Control+Alt+"],
};

export function useInboxKeys(actions: InboxActions): void {
  const act = useEffectEvent((key: string) => SINGLE_KEYS[key]?.(actions));
  useEffect(() => {
    const handlers = Object.keys(SINGLE_KEYS).flatMap((key) => {
      const handler = (event: KeyboardEvent) => {
        if (!isFreeForShortcuts(event)) return;
        // Enter on a link or button stays what it is.
        if (key === "Enter" && (event.target as HTMLElement).closest("a, button")) return;
        event.preventDefault();
        act(key);
      };
      return ["", ...(SIGN_MODIFIERS[key] ?? [])].map((modifiers) => [modifiers + key, handler]);
    });
    return tinykeys(window, Object.fromEntries(handlers));
  }, []);
}
