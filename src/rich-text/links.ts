interface TextPart {
  text: string;
  /** Set where the part is a link. */
  href?: string;
}

// Brackets belong to an address in pairs only: `[https://example.com/?color[]=red]`.
const SIGNS = /(?:[^\s<>"'`{}|\\^[\]]|\[[^\s<>"'`{}|\\^[\]]*\])+/.source;
/** What may be an address, before `trimmed`. */
export const ADDRESS = `\\bhttps?://${SIGNS}|\\bwww\\.[a-z0-9-]+\\.${SIGNS}|\\b[\\w.+-]{1,64}@[a-z0-9-]+(?:\\.[a-z0-9-]+)+`;
/** Part of the sentence, not of the address. */
const TRAILING = ".,;:!?'\"»”’…";

/** A text as parts, of which addresses become links. Only http, https and e-mail addresses do; the rest stays text. */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(ADDRESS, "gi"))) {
    const address = trimmed(match[0]);
    const href = hrefOfAddress(address);
    if (!href) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: address, href });
    end = match.index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** `(see https://example.com/a_(b))` ends before the last parenthesis. Each sign is looked at once, however many end it. */
export function trimmed(candidate: string): string {
  let surplus = 0;
  for (const sign of candidate) surplus += sign === ")" ? 1 : sign === "(" ? -1 : 0;
  let end = candidate.length;
  for (; end > 0; end--) {
    const last = candidate.charAt(end - 1);
    if (last === ")" && surplus > 0) surplus--;
    else if (!TRAILING.includes(last)) break;
  }
  return candidate.slice(0, end);
}

/** Where an address that people write leads; null: nowhere. */
export function hrefOfAddress(address: string): string | null {
  if (/^www\./i.test(address)) return safeHref(`https://${address}`);
  return /^https?:/i.test(address) ? safeHref(address) : safeHref(`mailto:${address}`);
}

/** The link as a browser understands it, if it is http, https or mailto. */
export function safeHref(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href, username, password } = new URL(address);
  if (protocol === "mailto:") return href;
  // `https://bank.example@evil.example` reads like another address than it is.
  return (protocol === "https:" || protocol === "http:") && !username && !password ? href : null;
}
