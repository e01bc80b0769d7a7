import type { VisitedWidget } from "./visitor.ts";

/** Where a visitor wrote a first message. */
export interface VisitedPage {
  url: string;
  browser: string | null;
}

interface Given {
  url: string | undefined;
  userAgent: string | undefined;
  /** Parley's own origin, for the preview and the demo. */
  ownOrigin: string;
}

const URL_CHARS_MAX = 2_048;

/** Null: the widget does not collect it, or the address is not one of the widget's own pages, which no frame would send. */
export function pageOf(widget: VisitedWidget, { url, userAgent, ownOrigin }: Given): VisitedPage | null {
  if (!widget.collectPage || url === undefined || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  if (origin !== ownOrigin && !widget.allowedOrigins.includes(origin)) return null;
  return { url: `${origin}${pathname}`.slice(0, URL_CHARS_MAX), browser: browserOf(userAgent ?? "") };
}

/** The more particular names first: most browsers also claim to be others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/(\d+)/, "Edge"],
  [/\bOPR\/(\d+)/, "Opera"],
  [/\bSamsungBrowser\/(\d+)/, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)[\d.]* .*Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Such as `Firefox 144 on Windows`; null where the browser is not known. */
function browserOf(userAgent: string): string | null {
  const browser = BROWSERS.flatMap(([pattern, name]) => {
    const version = pattern.exec(userAgent)?.[1];
    return version === undefined ? [] : [`${name} ${version}`];
  })[0];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return browser === undefined ? null : `${browser}${system === undefined ? "" : ` on ${system}`}`;
}
