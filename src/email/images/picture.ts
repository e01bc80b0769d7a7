/** What a picture is, by its bytes; null: none of the kinds that are shown. SVG is none: it can hold scripts. */
export function pictureType(bytes: Buffer): string | null {
  const begins = (text: string, at = 0): boolean =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, "latin1"));
  if (begins("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins("\xff\xd8\xff")) return "image/jpeg";
  if (begins("GIF87a") || begins("GIF89a")) return "image/gif";
  return begins("RIFF") && begins("WEBP", 8) ? "image/webp" : null;
}
