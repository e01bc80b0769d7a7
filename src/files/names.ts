const NAME_CHARS_MAX = 255;
const TYPE_CHARS_MAX = 127;
const DEFAULT_TYPE = "application/octet-stream";
const MEDIA_TYPE = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/;

/** Control characters, path separators, and the marks that change the direction of text and so hide an extension. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** What is wrong with the name of a file. */
export function nameProblems(name: string): string[] {
  if (name === "") return ["name must not be empty."];
  if (name.length > NAME_CHARS_MAX) return [`name must have at most ${NAME_CHARS_MAX} characters.`];
  if (name === "." || name === "..") return ["name must be the name of a file."];
  if (UNSAFE.test(name) || !name.isWellFormed())
    return ["name must not contain slashes, control characters or marks that change the direction of text."];
  return [];
}

/** The media type without its parameters; anything that is not a media type counts as unknown bytes. */
export function mediaTypeOf(contentType: string | undefined): string {
  const type = MEDIA_TYPE.exec(contentType ?? "")?.[1]?.toLowerCase();
  return type && type.length <= TYPE_CHARS_MAX ? type : DEFAULT_TYPE;
}

/** What a browser may show by itself. Everything else is downloaded. */
const INLINE = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "text/plain"]);
/** A page that loads one of these from its own origin would run it, download or not. */
const LOADABLE = /script|css|wasm/;

interface ServedAs {
  disposition: "inline" | "attachment";
  contentType: string;
}

/** How the bytes of a file are sent. `contentType` is what the uploader claimed, which is not trusted. */
export function servedAs(contentType: string): ServedAs {
  if (contentType === "text/plain") return { disposition: "inline", contentType: "text/plain; charset=utf-8" };
  if (INLINE.has(contentType)) return { disposition: "inline", contentType };
  return { disposition: "attachment", contentType: LOADABLE.test(contentType) ? DEFAULT_TYPE : contentType };
}

/** RFC 6266: an ASCII form for old clients, and the name itself. */
export function contentDisposition(disposition: ServedAs["disposition"], name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["%\\]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
