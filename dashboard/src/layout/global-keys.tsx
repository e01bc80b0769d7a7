import type { Contact } from "@parley/client";
import { useEffect, useEffectEvent, useState } from "react";
import { tinykeys } from "tinykeys";
import { useLocation } from "wouter";
import { useViews } from "../api/views.ts";
import { whenNeeded } from "../components/when-needed.tsx";
import { onNewConversationRequest, requestNewConversation } from "../lib/new-conversation.ts";
import { onPaletteRequest } from "../lib/palette.ts";
import { whenFree } from "../lib/shortcuts.ts";
import { withTexts } from "../lib/texts.ts";

const palette = withTexts("inbox", () => import("../pages/inbox/palette.tsx"));
const Palette = whenNeeded(() => palette().then((loaded) => loaded.Palette));
const shortcutHelp = withTexts("inbox", () => import("../pages/inbox/shortcut-help.tsx"));
const ShortcutHelp = whenNeeded(() => shortcutHelp().then((loaded) => loaded.ShortcutHelp));
const newConversation = withTexts("inbox", () => import("../pages/inbox/start/new-conversation-dialog.tsx"));
const NewConversationDialog = whenNeeded(() => newConversation().then((loaded) => loaded.NewConversationDialog));

const PLACES: Record<string, string> = {
  "g i": "/inbox",
  "g c": "/contacts",
  "g o": "/overview",
  "g w": "/settings/webhooks",
  "g k": "/settings/api-keys",
};

/** `g 1` to `g 9`: the saved views in the order of the sidebar. */
const VIEW_KEYS = 9;

/** The keys that work on every page: to go elsewhere, to search everything, and to list the keys. */
export function GlobalKeys() {
  const [dialog, setDialog] = useState<"help" | "palette" | "conversation" | null>(null);
  const [contact, setContact] = useState<Contact | null>(null);
  const [text, setText] = useState("");
  const [, navigate] = useLocation();
  const go = useEffectEvent((path: string) => navigate(path));
  const views = useViews().data;
  const goToView = useEffectEvent((index: number) => {
    const view = views?.[index];
    if (view) navigate(`/inbox?view=${view.id}`);
  });
  useEffect(
    () =>
      onPaletteRequest((wanted) => {
        setText(wanted);
        setDialog("palette");
      }),
    [],
  );
  useEffect(
    () =>
      onNewConversationRequest((wanted) => {
        setContact(wanted);
        setDialog("conversation");
      }),
    [],
  );
  useEffect(() => {
    const views = Array.from({ length: VIEW_KEYS }, (_, n) => [`g ${n + 1}`, whenFree(() => goToView(n))]);
    const places = Object.entries(PLACES).map(([keys, path]) => [keys, whenFree(() => go(path))]);
    return tinykeys(window, {
      ...Object.fromEntries([...places, ...views]),
      "Shift+?": whenFree(() => setDialog("help")),
      // After `g c`, which has it at its end.
      c: whenFree(() => requestNewConversation(null)),
      "$mod+KeyK": (event: KeyboardEvent) => {
        event.preventDefault();
        // Not over a dialog: it may show what cannot be shown again, and the palette leads elsewhere.
        if (!document.querySelector("[role=dialog]")) setDialog("palette");
      },
    });
  }, []);
  const close = () => {
    setDialog(null);
    setText("");
  };
  if (dialog === "conversation") return <NewConversationDialog contact={contact} onClose={close} />;
  if (dialog === "palette") return <Palette initialText={text} onClose={close} />;
  return dialog === "help" ? <ShortcutHelp onClose={close} /> : null;
}
