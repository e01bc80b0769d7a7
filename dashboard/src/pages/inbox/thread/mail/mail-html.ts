import createPurifier from "dompurify";
import { t } from "../../../../lib/texts.ts";

/** The server drops the source of a picture that is elsewhere. */
export const hasRemoteImages = (html: string): boolean => /<img\b(?![^>]*\ssrc=)[^>]*>/i.test(html);

/** A letter is read better as text; a newsletter, a table or a picture is not. */
export const isDesigned = (html: string): boolean =>
  /<(?:img|table|h[1-6]|ul|ol|center)\b/i.test(html) || /background-color/i.test(html);

/**
 * Puts the HTML of a mail into its frame. The server has sanitised it; it is sanitised once more by another parser, that of
 * this browser. What is quoted is folded.
 */
export function fillFrame(frame: HTMLIFrameElement, { html, quoted }: { html: string; quoted: string | null }): void {
  const { contentDocument: target, contentWindow } = frame;
  if (!target || !contentWindow) return;
  // The window of the frame: its policy is the one for mail.
  const purifier = createPurifier(contentWindow as unknown as Parameters<typeof createPurifier>[0]);
  purifier.addHook("afterSanitizeAttributes", (element) => {
    if (element.tagName === "A") openOutside(element);
    if (element.tagName === "IMG") keepHere(element);
  });
  target.body.innerHTML = purifier.sanitize(html, {
    FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "svg", "math", "video", "audio", "source"],
    FORBID_ATTR: ["srcset", "background", "poster", "id", "name", "class"],
    ALLOW_DATA_ATTR: false,
  });
  if (quoted) foldQuoted(target, quoted);
}

function openOutside(link: Element): void {
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer nofollow");
}

/** Pictures come from this page's own server, whatever name it was reached by. */
function keepHere(image: Element): void {
  const source = image.getAttribute("src") ?? "";
  if (/^data:image\//i.test(source)) return;
  try {
    const { protocol, pathname, search } = new URL(source);
    if (/^https?:$/.test(protocol)) image.setAttribute("src", pathname + search);
    else image.removeAttribute("src");
  } catch {
    image.removeAttribute("src");
  }
  image.setAttribute("loading", "lazy");
}

const LINE_CHARS = 40;
const plainOf = (text: string): string => text.replace(/[\s>\u00a0]+/g, "").slice(0, LINE_CHARS);

/** The server has found where the quoted text begins; from there on the HTML is folded too. */
function foldQuoted(target: Document, quoted: string): void {
  const start = firstWith(target, plainOf(quoted));
  if (!start || !target.body.lastChild) return;
  const range = target.createRange();
  range.setStartBefore(start);
  range.setEndAfter(target.body.lastChild);
  const details = target.createElement("details");
  const summary = target.createElement("summary");
  summary.textContent = "…";
  summary.setAttribute("aria-label", t("Quoted text"));
  details.append(summary, range.extractContents());
  // Where nothing would be left, nothing is folded.
  if (target.body.textContent?.trim() || target.body.querySelector("img")) target.body.append(details);
  else target.body.replaceChildren(...[...details.childNodes].slice(1));
}

/** The innermost element whose text begins as the quoted text does. */
function firstWith(target: Document, beginning: string): Element | null {
  if (beginning === "") return null;
  let found: Element | null = null;
  for (const element of target.body.querySelectorAll("*")) {
    if (found && !found.contains(element)) break;
    const text = plainOf(element.textContent ?? "");
    if (text !== "" && (text.startsWith(beginning) || (text.length >= 12 && beginning.startsWith(text))))
      found = element;
  }
  return found;
}
