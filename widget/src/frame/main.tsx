import { render } from "preact";
import { readableOn, textOn } from "../shared/contrast.ts";
import { chooseLanguage } from "../shared/language.ts";
import { type Envelope, isEnvelope, type Theme, type ToFrame, type ToPage } from "../shared/protocol.ts";
import { Chat } from "./chat/chat.ts";
import { createStore, initialState, type Store } from "./chat/state.ts";
import "./styles.css";
import { loadTexts } from "./texts/catalogue.ts";
import { App } from "./views/app.tsx";

/** The surfaces of styles.css, for colours that are computed from the widget's. */
const SURFACE: Record<Theme, string> = { light: "#ffffff", dark: "#17191c" };

type Init = Extract<ToFrame, { kind: "init" }>;

/** The page's origin, as the browser reports it with the first message; which pages may embed the frame is the server's rule. */
let pageOrigin: string | null = null;

function post(message: ToPage): void {
  if (pageOrigin !== null) parent.postMessage({ parley: 1, message } satisfies Envelope<ToPage>, pageOrigin);
}

let receive: (message: ToFrame) => void = () => {};

addEventListener("message", (event) => {
  if (event.source !== parent || parent === window || !isEnvelope<ToFrame>(event.data)) return;
  const { message } = event.data;
  if (pageOrigin === null && message.kind === "init") {
    pageOrigin = event.origin;
    void start(message);
  } else if (event.origin === pageOrigin) receive(message);
});

async function start(init: Init): Promise<void> {
  const { settings, page, theme, covering, isOpen, preview } = init;
  const language = chooseLanguage(init.languages, Object.keys(settings.texts));
  const texts = await loadTexts(language.builtIn);
  document.documentElement.lang = language.tag;
  document.documentElement.dir = language.dir;
  document.title = texts.title;
  dress(settings.color);
  setTheme(theme);
  const store = createStore(initialState({ settings, language, texts, page, covering, isOpen, preview }));
  const chat = new Chat(store, post);
  receive = receiver(store, chat, init.token);
  render(<App store={store} chat={chat} onClose={() => post({ kind: "close" })} />, document.body);
  watchNetwork(store, chat);
  receive({ kind: "shown", isOpen });
  post({ kind: "ready" });
}

/** What the page asks for, after the first message. Nothing of this visitor is read before the chat is shown. */
function receiver(store: Store, chat: Chat, firstToken: string | null): (message: ToFrame) => void {
  let token = firstToken;
  let hasBegun = false;
  return (message) => {
    if (message.kind === "init") {
      // Settings > Widgets, where a setting has changed.
      if (!message.preview || !store.get().preview) return;
      dress(message.settings.color);
      store.set({ settings: message.settings });
    } else if (message.kind === "shown") {
      store.set({ isOpen: message.isOpen });
      if (!message.isOpen || hasBegun || store.get().preview) return;
      hasBegun = true;
      chat.begin(token);
    } else if (message.kind === "layout") store.set({ covering: message.covering });
    else if (message.kind === "theme") setTheme(message.theme);
    else if (message.kind === "page") store.set({ page: message.url });
    else if (message.kind === "identify") {
      token = message.token;
      if (hasBegun) chat.identify(token);
    } else {
      token = null;
      chat.logout();
    }
  };
}

/** Colours that can be read, whatever the widget's colour is. */
function dress(color: string): void {
  const { style } = document.documentElement;
  style.setProperty("--color", color);
  style.setProperty("--on-color", textOn(color));
  const accent = `light-dark(${readableOn(color, SURFACE.light)}, ${readableOn(color, SURFACE.dark)})`;
  style.setProperty("--accent", accent);
}

/** Null: as the system says. */
function setTheme(theme: Theme | null): void {
  document.documentElement.style.colorScheme = theme ?? "light dark";
}

function watchNetwork(store: Store, chat: Chat): void {
  const wake = () => {
    if (document.visibilityState === "visible") chat.wake();
  };
  addEventListener("online", () => {
    store.set({ isOnline: true });
    chat.wake();
  });
  addEventListener("offline", () => {
    store.set({ isOnline: false });
    chat.goOffline();
  });
  addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", wake);
  document.addEventListener("resume", wake);
}
