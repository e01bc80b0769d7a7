import sanitizeHtml from "sanitize-html";
import { htmlToText, isTooDeep } from "./html-text.ts";

const COLOR = [/^#[0-9a-f]{3,8}$/i, /^rgba?\([\d\s.,%]+\)$/i, /^[a-z]{3,20}$/i];
const LENGTH = [/^-?[\d.]{1,7}(px|pt|em|rem|%)?$/i, /^auto$/i];
const BOX = [/^(-?[\d.]{1,7}(px|pt|em|rem|%)?\s*|auto\s*){1,4}$/i];
const WORD = [/^[a-z-]{1,30}$/i];
const BORDER = [/^[\w\s.#%()-]{1,60}$/i];

/** No url() in any of them, nothing that leaves its place, nothing that covers anything else. */
const STYLES = {
  color: COLOR,
  "background-color": COLOR,
  "font-size": LENGTH,
  "font-weight": [/^(\d{3}|bold|bolder|lighter|normal)$/i],
  "font-style": WORD,
  "font-family": [/^[\w\s,'"-]{1,200}$/],
  "line-height": LENGTH,
  "text-align": WORD,
  "text-decoration": WORD,
  "vertical-align": WORD,
  "white-space": WORD,
  width: LENGTH,
  "max-width": LENGTH,
  height: LENGTH,
  margin: BOX,
  "margin-top": LENGTH,
  "margin-bottom": LENGTH,
  "margin-left": LENGTH,
  "margin-right": LENGTH,
  padding: BOX,
  "padding-top": LENGTH,
  "padding-bottom": LENGTH,
  "padding-left": LENGTH,
  "padding-right": LENGTH,
  border: BORDER,
  "border-top": BORDER,
  "border-bottom": BORDER,
  "border-left": BORDER,
  "border-right": BORDER,
  "border-collapse": WORD,
  "border-radius": LENGTH,
};

const TAGS =
  "a abbr address b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr";
const CELL = [
  "align",
  "valign",
  "width",
  "height",
  "bgcolor",
  "colspan",
  "rowspan",
  "border",
  "cellpadding",
  "cellspacing",
];

/**
 * HTML that neither runs nor loads anything: what is allowed is named, everything else is dropped. A picture keeps its
 * source only if it is inside the mail (`cid:`, `data:`), or where `images` says so, for a proxy to fetch it.
 */
export const sanitise = (html: string, { images = false }: { images?: boolean } = {}): string =>
  sanitizeHtml(isTooDeep(html) ? asParagraphs(htmlToText(html)) : html, {
    allowedTags: TAGS.split(" "),
    allowedAttributes: {
      "*": ["style", "dir", "lang", "title"],
      a: ["href", "target", "rel"],
      img: ["src", "alt", "width", "height"],
      table: CELL,
      tr: CELL,
      td: CELL,
      th: CELL,
      col: CELL,
      font: ["color", "face", "size"],
      ol: ["start", "type"],
    },
    allowedStyles: { "*": STYLES },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: images ? ["cid", "data", "http", "https"] : ["cid", "data"] },
    allowProtocolRelative: false,
    nestingLimit: 200,
    transformTags: {
      a: (tagName, attribs) => ({
        tagName,
        attribs: { ...attribs, target: "_blank", rel: "noopener noreferrer nofollow" },
      }),
      img: (tagName, { src = "", ...attribs }) => {
        const kept = isInside(src) ? src.trim() : images ? remoteAddress(src) : null;
        return { tagName, attribs: kept === null ? attribs : { ...attribs, src: kept } };
      },
    },
  });

/** Instead of HTML that is nested without end. */
const asParagraphs = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .split("\n")
    .map((line) => `<p>${line}</p>`)
    .join("\n");

/** Null: it is none, or one that no browser would load from a mail. */
function remoteAddress(src: string): string | null {
  const text = src.trim().replace(/^\/\//, "https://");
  return /^https?:\/\/[^/\\]/i.test(text) && URL.canParse(text) ? new URL(text).href : null;
}

const isInside = (src: string): boolean =>
  /^(cid:[^\s"'<>]+|data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*)$/i.test(src.trim());
