/**
 * Control characters as their pictures (␀, ␛), and what would turn or hide text (bidirectional marks, zero width, C1) as its
 * number: hostile text can neither pass for something else nor hide. Line breaks and tabs stay.
 */
export const visibleText = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (char) =>
      char === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + char.charCodeAt(0)),
    )
    .replace(
      /[\u0080-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      (char) => `⟨U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
    );

/** JSON with line breaks; null for everything else. */
export function prettyJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}
