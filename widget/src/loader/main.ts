import { logError } from "./log.ts";
import { loadSettings } from "./settings.ts";
import { startWidget, type Widget } from "./widget.ts";

/** The digest of the frame's build: an upgrade changes the frame's address with the loader. */
declare const FRAME_VERSION: string;

type Handler = (detail?: unknown) => void;

interface Api {
  (command: string, ...rest: unknown[]): void;
  /** Calls from before the script had loaded, of the snippet's stub. */
  q?: ArrayLike<unknown>[];
  /** Of the snippet that is at work. */
  script?: HTMLScriptElement;
}

const page = window as { Parley?: Api };

/** Whatever happens here, the page must not notice. */
function guarded(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    logError(String(error));
  }
}

function start(script: HTMLScriptElement) {
  const id = script.dataset.widget;
  if (!id) return logError("the snippet has no data-widget attribute, so there is no chat.");
  const running = page.Parley?.script;
  if (running?.isConnected) return logError("this page has a second snippet. Only the first one is used.");
  // A single-page application has removed the snippet and added it again.
  if (running?.dataset.widget === id && page.Parley) {
    page.Parley.script = script;
    const { token } = script.dataset;
    if (token && token !== running.dataset.token) page.Parley("identify", token);
    return undefined;
  }
  if (running) page.Parley?.("shutdown");
  return boot(script, id, page.Parley?.q ?? []);
}

function boot(script: HTMLScriptElement, id: string, queue: ArrayLike<unknown>[]): void {
  const closing = new AbortController();
  const { signal } = closing;
  const handlers: [event: string, handler: Handler][] = [];
  const waiting: ((widget: Widget) => void)[] = [];
  let widget: Widget | null = null;

  const call = (handler: Handler, detail?: unknown) => {
    try {
      handler(detail);
    } catch (error) {
      // The handler's own mistake: reported as such, and not a reason to stop.
      reportError(error);
    }
  };
  const emit = (event: string, detail?: unknown) => {
    for (const [name, handler] of [...handlers]) if (name === event) call(handler, detail);
  };
  const whenReady = (act: (widget: Widget) => void) => void (widget ? act(widget) : waiting.push(act));
  const commands: Record<string, (...rest: unknown[]) => void> = {
    open: () => whenReady((ready) => ready.open()),
    close: () => whenReady((ready) => ready.close()),
    identify: (token) => whenReady((ready) => ready.identify(String(token))),
    logout: () => whenReady((ready) => ready.logout()),
    shutdown() {
      closing.abort();
      if (page.Parley === api) delete page.Parley;
    },
    on(event, handler) {
      if (typeof handler !== "function") return logError('"on" takes the name of an event and a function.');
      handlers.push([String(event), handler as Handler]);
      if (event === "ready" && widget) call(handler as Handler);
    },
  };
  const api: Api = (command, ...rest) =>
    guarded(() => {
      const act = Object.hasOwn(commands, command) ? commands[command] : undefined;
      if (!act) return logError(`"${command}" is not a known command.`);
      if (!signal.aborted) act(...rest);
    });
  api.script = script;
  page.Parley = api;
  for (const [command, ...rest] of queue.map((args) => Array.from(args))) api(String(command), ...rest);

  const address = (path: string) => new URL(`/widget/${encodeURIComponent(id)}/${path}`, script.src).href;
  loadSettings(address("settings.js"), script.nonce, signal)
    .then((settings) => {
      if (signal.aborted || !settings.is_active) return;
      const frameAddress = address(`frame?v=${FRAME_VERSION}`);
      widget = startWidget({ script, settings, frameAddress, emit, signal });
      emit("ready");
      for (const act of waiting.splice(0)) act(widget);
    })
    .catch((error: unknown) => logError(String(error)));
}

guarded(() => {
  const script = document.currentScript ?? document.querySelector("script[data-widget]");
  if (script instanceof HTMLScriptElement) start(script);
});
