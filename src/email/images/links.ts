import type { SecretBox } from "../../core/secret-box.ts";

/** Links to pictures elsewhere, which we fetch for the person who reads the mail: absolute, signed, valid for a time. */
export const IMAGES_PATH = "/mail-images";
const PURPOSE = "mail-images.v1";
const VALID_SECONDS = 3_600;
/** The same link for this long, so that browsers can cache what is behind it. */
const STEP_SECONDS = 900;
const URL_CHARS_MAX = 2_048;

interface Image {
  workspaceId: number;
  url: string;
}

const signedText = ({ workspaceId, url }: Image, expires: string): string => `${workspaceId}.${expires}.${url}`;

/** Empty for an address that is too long to be fetched. */
export function imageLink(secretBox: SecretBox, baseUrl: string, image: Image, now = Date.now()): string {
  if (image.url.length > URL_CHARS_MAX) return "";
  const expires = String(Math.ceil((now / 1_000 + VALID_SECONDS) / STEP_SECONDS) * STEP_SECONDS);
  const signature = secretBox.sign(signedText(image, expires), PURPOSE);
  const query = new URLSearchParams({ url: image.url, workspace: String(image.workspaceId), expires, signature });
  return `${baseUrl}${IMAGES_PATH}?${query}`;
}

/** Null: we have not made this link. */
export function readImageLink(
  secretBox: SecretBox,
  query: Record<string, unknown>,
  now = Date.now(),
): (Image & { isExpired: boolean }) | null {
  const [url, workspace, expires, signature] = ["url", "workspace", "expires", "signature"].map((name) =>
    String(query[name] ?? ""),
  ) as [string, string, string, string];
  const image = { workspaceId: Number(workspace), url };
  const isOurs =
    /^\d{1,15}$/.test(workspace) &&
    /^\d{1,12}$/.test(expires) &&
    secretBox.isSigned(signedText(image, expires), signature, PURPOSE);
  return isOurs ? { ...image, isExpired: Number(expires) * 1_000 <= now } : null;
}
