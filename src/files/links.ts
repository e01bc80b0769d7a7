import type { SecretBox } from "../core/secret-box.ts";
import { formatTimestamp } from "../core/timestamps.ts";

/** Links to files as one request sees them: absolute, signed, and valid for a time. */
export interface FileLinks {
  /** For a response: about a day; the same for a quarter of an hour, so that browsers can cache what is behind it. */
  forResponse(file: LinkedFile): { url: string; expires_at: string };
  /** For an event: a week, so that the body is the same text over all attempts of a delivery. */
  forEvent(file: LinkedFile): string;
  /** A link that an event carried, signed again for a response. */
  renewForResponse(url: string): string;
  /** A link that an event carried, signed again for a new event. */
  renewForEvent(url: string): string;
  /** What links begin with: where this request came to, or the public address. */
  baseUrl(): string;
}

export interface LinkedFile {
  uuid: string;
  name: string;
}

export const FILES_PATH = "/files";
const PURPOSE = "file-links.v1";
const DAY_SECONDS = 86_400;
const RESPONSE_SECONDS = DAY_SECONDS;
const EVENT_SECONDS = 7 * DAY_SECONDS;
const STEP_SECONDS = 900;

const signedText = (uuid: string, expires: string): string => `${uuid}.${expires}`;

/** `baseUrl` is called only when there is a link to write. */
export function createFileLinks(secretBox: SecretBox, baseUrl: () => string, now = Date.now): FileLinks {
  function linkTo({ uuid, name }: LinkedFile, expires: number): string {
    const signature = secretBox.sign(signedText(uuid, String(expires)), PURPOSE);
    return `${baseUrl()}${FILES_PATH}/${uuid}/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
  }
  const after = (seconds: number): number => Math.ceil((now() / 1_000 + seconds) / STEP_SECONDS) * STEP_SECONDS;

  const forResponse: FileLinks["forResponse"] = (file) => {
    const expires = after(RESPONSE_SECONDS);
    return { url: linkTo(file, expires), expires_at: formatTimestamp(new Date(expires * 1_000)) };
  };
  const forEvent = (file: LinkedFile): string => linkTo(file, after(EVENT_SECONDS));
  return {
    forResponse,
    forEvent,
    renewForResponse: (url) => forResponse(fileOfLink(url)).url,
    renewForEvent: (url) => forEvent(fileOfLink(url)),
    baseUrl,
  };
}

/** The file that a link of ours leads to. */
export function fileOfLink(url: string): LinkedFile {
  const [uuid = "", name = ""] = new URL(url).pathname.split("/").slice(-2);
  return { uuid, name: decodeURIComponent(name) };
}

export type LinkState = "valid" | "expired" | "forged";

/** Checked before any lookup: without a signed link a client learns nothing, not even whether the file exists. */
export function stateOfLink(
  secretBox: SecretBox,
  link: { uuid: string; expires: string; signature: string },
  now = Date.now(),
): LinkState {
  const { uuid, expires, signature } = link;
  if (!/^\d{1,12}$/.test(expires) || !secretBox.isSigned(signedText(uuid, expires), signature, PURPOSE))
    return "forged";
  return Number(expires) * 1_000 > now ? "valid" : "expired";
}
