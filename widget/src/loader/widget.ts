import { chooseLanguage } from "../shared/language.ts";
import type { ToFrame, ToPage, WidgetSettings } from "../shared/protocol.ts";
import { hostFrame } from "./frame-host.ts";
import { drawLauncher, type Launcher } from "./launcher.ts";
import { logError } from "./log.ts";
import { COVERING, pageAddress, pageTheme, wantedLanguages } from "./page.ts";

interface Options {
  script: HTMLScriptElement;
  settings: WidgetSettings;
  frameAddress: string;
  emit: (event: string, detail?: unknown) => void;
  signal: AbortSignal;
}

export interface Widget {
  open(): void;
  close(): void;
  identify(token: string): void;
  logout(): void;
}

/** The widget of a page: draws the launcher, and loads the frame when it is first needed. */
export function startWidget({ script, settings, frameAddress, emit, signal }: Options): Widget {
  const languages = wantedLanguages(script);
  const language = chooseLanguage(languages, Object.keys(settings.texts));
  const toggle = () => (isOpen ? close() : open());
  const launcher = drawLauncher({ settings, language, onPress: toggle, onEscape: () => close() });
  const covering = matchMedia(COVERING);
  let token = script.dataset.token || null;
  let isOpen = false;
  /** What had the focus when the chat was opened, if that was not the launcher. */
  let opener: Element | null = null;
  let frame: ReturnType<typeof hostFrame> | null = null;

  const first = (): ToFrame => ({
    ...{ kind: "init", settings, languages, token, isOpen, preview: false },
    ...{ page: pageAddress(), theme: pageTheme(), covering: covering.matches },
  });
  const onMessage = (message: ToPage) => {
    if (message.kind === "close") close();
    if (message.kind === "unread") launcher.setUnread(message.count, message.text);
    passOn(message, emit);
  };
  const needFrame = () => (frame ??= hostFrame({ launcher, address: frameAddress, first, onMessage, signal }));

  function open(): void {
    if (isOpen) return;
    isOpen = true;
    opener = launcher.hasFocus() ? null : document.activeElement;
    const { send, focus } = needFrame();
    launcher.setTheme(pageTheme());
    launcher.show(true);
    send({ kind: "theme", theme: pageTheme() });
    send({ kind: "page", url: pageAddress() });
    send({ kind: "shown", isOpen });
    focus();
    emit("opened");
  }
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    const hadFocus = launcher.hasFocus();
    launcher.show(false);
    needFrame().send({ kind: "shown", isOpen });
    if (hadFocus && opener instanceof HTMLElement && opener !== document.body) opener.focus({ preventScroll: true });
    else if (hadFocus) launcher.focus();
    emit("closed");
  }

  const layout = () => {
    launcher.setCovering(covering.matches);
    frame?.send({ kind: "layout", covering: covering.matches });
  };
  covering.addEventListener("change", layout, { signal });
  layout();
  keepAttached(launcher, signal);

  return {
    open,
    close,
    identify(next) {
      token = next;
      frame?.send({ kind: "identify", token: next });
    },
    logout() {
      token = null;
      // Also where the chat was not opened on this page: the session of an earlier one may be stored.
      needFrame().send({ kind: "logout" });
    },
  };
}

/** What the page's own handlers receive. */
function passOn(message: ToPage, emit: Options["emit"]): void {
  if (message.kind === "message") emit("message", message.message);
  else if (message.kind === "unread") emit("unread", message.count);
  else if (message.kind === "identity-expired") emit("identity-expired");
  else if (message.kind === "identity-refused") logError(`the identity token was refused: ${message.reason}`);
}

/** Until it is shut down, whatever the page replaces. */
function keepAttached(launcher: Launcher, signal: AbortSignal): void {
  launcher.attach();
  const observer = new MutationObserver(() => launcher.attach());
  observer.observe(document.documentElement, { childList: true });
  signal.addEventListener("abort", () => {
    observer.disconnect();
    launcher.remove();
  });
}
