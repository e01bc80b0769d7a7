import { textOn } from "../shared/contrast.ts";
import { type ChosenLanguage, ownText } from "../shared/language.ts";
import { LAUNCHER_TEXTS } from "../shared/launcher-texts.ts";
import type { Theme, WidgetSettings } from "../shared/protocol.ts";
import { STYLES } from "./styles.ts";

/** What the loader adds to the page: one element with a shadow root, in it the button and later the frame. */
export interface Launcher {
  /** Puts it back if the page has removed it. */
  attach(): void;
  remove(): void;
  addFrame(address: string): HTMLIFrameElement;
  show(isOpen: boolean): void;
  setUnread(count: number, text: string): void;
  setCovering(covering: boolean): void;
  setTheme(theme: Theme | null): void;
  /** The button or the frame has the focus. */
  hasFocus(): boolean;
  focus(): void;
}

const BUBBLE = "M21 12a8 8 0 0 1-8 8H4l2.2-2.9A8 8 0 1 1 21 12z";
const CROSS = "M6 6l12 12M18 6L6 18";

interface Options {
  settings: WidgetSettings;
  language: ChosenLanguage;
  onPress: () => void;
  onEscape: () => void;
}

export function drawLauncher({ settings, language, onPress, onEscape }: Options): Launcher {
  const [open, close, title] = LAUNCHER_TEXTS[language.builtIn];
  const openName = ownText(settings.texts, language, "launcher") ?? open;
  const host = document.createElement("parley-widget");
  const root = host.attachShadow({ mode: "open" });
  adoptStyles(root, settings.color);
  const box = append(root, "div");
  box.lang = language.tag;
  box.dir = language.dir;
  if (settings.position === "left") box.classList.add("left");
  const button = append(box, "button");
  button.type = "button";
  const { path } = drawIcon(button);
  const badge = append(button, "span");
  badge.className = "badge";
  badge.setAttribute("aria-hidden", "true");
  button.onclick = onPress;
  box.onkeydown = ({ key }) => {
    if (key === "Escape") onEscape();
  };
  let frame: HTMLIFrameElement | null = null;

  const launcher: Launcher = {
    // Next to the body and not in it: what a single-page application replaces is the body or a part of it, and a frame that is
    // moved in the document loads again.
    attach: () => {
      if (!host.isConnected) document.documentElement.append(host);
    },
    remove: () => host.remove(),
    addFrame(address) {
      frame = document.createElement("iframe");
      frame.title = title;
      frame.allow = "autoplay";
      frame.src = address;
      frame.hidden = true;
      // In front of the button, so that Tab leads from the chat to what closes it.
      box.prepend(frame);
      return frame;
    },
    show(isOpen) {
      if (frame) frame.hidden = !isOpen;
      box.classList.toggle("open", isOpen);
      button.setAttribute("aria-label", isOpen ? close : openName);
      path.setAttribute("d", isOpen ? CROSS : BUBBLE);
    },
    setUnread(count, text) {
      badge.hidden = count === 0;
      badge.textContent = count > 99 ? "99+" : String(count);
      if (count === 0) button.removeAttribute("aria-description");
      else button.setAttribute("aria-description", text);
    },
    setCovering: (covering) => void box.classList.toggle("covering", covering),
    setTheme(theme) {
      box.classList.toggle("dark", theme === "dark");
      box.classList.toggle("light", theme === "light");
    },
    hasFocus: () => root.activeElement !== null,
    focus: () => button.focus({ preventScroll: true }),
  };
  launcher.show(false);
  launcher.setUnread(0, "");
  return launcher;
}

function adoptStyles(root: ShadowRoot, color: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${STYLES} div { --color: ${color}; --on-color: ${textOn(color)}; }`);
  root.adoptedStyleSheets = [sheet];
}

function append<Name extends keyof HTMLElementTagNameMap>(
  parent: ParentNode & Node,
  name: Name,
): HTMLElementTagNameMap[Name] {
  return parent.appendChild(document.createElement(name));
}

/** Element by element: a page that requires trusted types refuses markup in a string. */
function drawIcon(parent: Element): { path: SVGPathElement } {
  const svg = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  return { path: svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path")) };
}
