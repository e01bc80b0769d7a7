import { createHash, randomInt } from "node:crypto";
import { KEY_TYPES, type KeyType } from "./scopes.ts";

const BRAND = "parley";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 32 characters of 62: 190 bits. */
const RANDOM_CHARS = 32;
const CHECKSUM_CHARS = 6;
const BRANDED = new RegExp(
  `^((${BRAND}_(?:${KEY_TYPES.join("|")})_(?:c[1-9][0-9]{0,3}_)?)[0-9A-Za-z]{${RANDOM_CHARS}})_([0-9A-Za-z]{${CHECKSUM_CHARS}})$`,
);
const LAST_CHARS = 4;

/**
 * `parley_<type>_<random>_<checksum>`: letters, digits and `_` only, so a double click selects all of it. In cells from 1
 * on `parley_<type>_c<cell>_…`, by which a proxy routes it.
 */
export function newKeySecret(type: KeyType, cell = 0): string {
  const random = Array.from({ length: RANDOM_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  const head = `${BRAND}_${type}_${cell === 0 ? "" : `c${cell}_`}${random}`;
  return `${head}_${checksum(head)}`;
}

/** True for a secret of our form whose checksum is wrong: a typing error or a guess, found without any I/O. */
export function isMistyped(secret: string): boolean {
  const match = BRANDED.exec(secret);
  return match !== null && checksum(match[1] as string) !== match[3];
}

/**
 * What lists show of a secret, so that people can tell keys apart: its prefix and last four characters. Those belong to
 * the checksum, so 166 of the 190 random bits stay unknown. Nothing of a secret that is not of our form.
 */
export function shownParts(secret: string): [prefix: string | null, lastFour: string | null] {
  const match = BRANDED.exec(secret);
  return match ? [match[2] as string, secret.slice(-LAST_CHARS)] : [null, null];
}

export const digestOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

function checksum(head: string): string {
  let number = createHash("sha256").update(head).digest().readUIntBE(0, 6);
  let text = "";
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    text += ALPHABET[number % ALPHABET.length];
    number = Math.floor(number / ALPHABET.length);
  }
  return text;
}
