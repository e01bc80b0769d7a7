import type { SecretBox } from "../core/secret-box.ts";

/**
 * The token of a conversation: `p`, its uuid and a short signature, in letters and digits of one case, because some servers
 * change the case of addresses. It is in the Message-IDs that we send and, as a plus-address, in Reply-To.
 */

const PURPOSE = "mail-token.v1";
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const TOKEN = /(?<![a-z2-7])p([a-z2-7]{26})([a-z2-7]{16})(?![a-z2-7])/gi;
const TOKENS_MAX = 50;

/** The uuids of conversations whose valid tokens occur in a text, in their order. */
export function readTokens(box: SecretBox, workspaceId: number, text: string): string[] {
  const found: string[] = [];
  for (const [, id = "", signature = ""] of text.matchAll(TOKEN)) {
    const uuid = uuidOf(id.toLowerCase());
    const isValid =
      uuid !== null && box.isSignedShort(textOf(workspaceId, uuid), bytesOf(signature.toLowerCase()), PURPOSE);
    if (isValid && !found.includes(uuid)) found.push(uuid);
    if (found.length >= TOKENS_MAX) break;
  }
  return found;
}

export function createToken(box: SecretBox, workspaceId: number, uuid: string): string {
  const signature = box.signShort(textOf(workspaceId, uuid), PURPOSE);
  return `p${encode(Buffer.from(uuid.replaceAll("-", ""), "hex"))}${encode(signature)}`;
}

const textOf = (workspaceId: number, uuid: string): string => `${workspaceId}:${uuid}`;

function encode(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

function bytesOf(text: string): Buffer {
  const bits = [...text].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Null for text that no uuid was encoded as: the last letter has two bits that are always 0. */
function uuidOf(text: string): string | null {
  const hex = bytesOf(text).toString("hex");
  if (encode(Buffer.from(hex, "hex")) !== text) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
