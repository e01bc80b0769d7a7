interface TextPart {
  text: string;
  /** Set where the part is a link. */
  href?: string;
}

const CANDIDATE =
  /\bhttps?:\/\/[^\s<>"'`{}|\\^]+|\bwww\.[a-z0-9-]+\.[^\s<>"'`{}|\\^]+|\b[\w.+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi;
/** Part of the sentence, not of the address. */
const TRAILING = /[.,;:!?'"»”’…\]]+$/;

/** A text as parts, of which addresses become links. Only http, https and e-mail addresses do; the rest stays text. */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(CANDIDATE)) {
    const address = trim(match[0]);
    const href = hrefOf(address);
    if (!href) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: address, href });
    end = match.index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** `(see https://example.com/a_(b))` ends before the last parenthesis. */
function trim(candidate: string): string {
  let address = candidate.replace(TRAILING, "");
  const count = (sign: string) => address.split(sign).length;
  while (address.endsWith(")") && count(")") > count("(")) address = address.slice(0, -1).replace(TRAILING, "");
  return address;
}

function hrefOf(address: string): string | null {
  if (/^www\./i.test(address)) return validated(`https://${address}`);
  if (/^https?:/i.test(address)) return validated(address);
  return `mailto:${address}`;
}

function validated(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href, username, password } = new URL(address);
  // `https://bank.example@evil.example` reads like another address than it is.
  return (protocol === "https:" || protocol === "http:") && !username && !password ? href : null;
}
