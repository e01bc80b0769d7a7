import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { unavailable } from "../core/errors.ts";

export const PASSWORD_CHARS_MIN = 10;
export const PASSWORD_CHARS_MAX = 256;

/** OWASP's first choice for scrypt (Password Storage Cheat Sheet): 128 MiB and about 0.3 s a password. */
const LOG_N = 17;
const BLOCK_SIZE = 8;
const PARALLEL = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

// Each computation takes 128 MiB and one of libuv's four threads. Two at once keep a flood of sign-ins within 256 MiB
// and leave threads to the rest of the process; whoever would wait too long is told to come back.
const AT_ONCE_MAX = 2;
const WAITING_MAX = 64;
const slots: { running: number; waiting: (() => void)[] } = { running: 0, waiting: [] };

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Text in the PHC form, with its parameters: raising them later leaves old passwords valid. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, HASH_BYTES, LOG_N, BLOCK_SIZE, PARALLEL);
  return format(salt, hash);
}

/** Costs the same whether there is such a person (`stored` is their text) or not (null). */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const match = STORED.exec(stored ?? DECOY);
  if (!match) throw new Error("A stored password has an unknown form.");
  const [, logN, r, p, salt = "", hash = ""] = match;
  const expected = Buffer.from(hash, "base64");
  const actual = await derive(
    password,
    Buffer.from(salt, "base64"),
    expected.length,
    Number(logN),
    Number(r),
    Number(p),
  );
  return timingSafeEqual(actual, expected) && stored !== null;
}

/** Sentences about a password nobody may choose. Length is what counts; rules about characters only annoy. */
export function passwordProblems(password: string): string[] {
  const chars = [...password].length;
  if (chars < PASSWORD_CHARS_MIN) return [`password must have at least ${PASSWORD_CHARS_MIN} characters.`];
  return chars > PASSWORD_CHARS_MAX ? [`password must have at most ${PASSWORD_CHARS_MAX} characters.`] : [];
}

/** True for a password that was stored under weaker parameters than today's. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(PREFIX);

const PREFIX = `$scrypt$ln=${LOG_N},r=${BLOCK_SIZE},p=${PARALLEL}$`;
const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
const format = (salt: Buffer, hash: Buffer): string => `${PREFIX}${base64(salt)}$${base64(hash)}`;
const DECOY = format(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

async function derive(
  password: string,
  salt: Buffer,
  bytes: number,
  logN: number,
  r: number,
  p: number,
): Promise<Buffer> {
  const N = 2 ** logN;
  // Node's own limit is 32 MiB; the algorithm needs 128·N·r bytes and a little more.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * N * r * p + 32 * 1024 * 1024 };
  await enter();
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      // One spelling of the same characters, however the keyboard composed them (NIST SP 800-63B, 5.1.1.2).
      scrypt(password.normalize("NFKC"), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)));
    });
  } finally {
    leave();
  }
}

async function enter(): Promise<void> {
  if (slots.running < AT_ONCE_MAX) {
    slots.running++;
    return;
  }
  if (slots.waiting.length >= WAITING_MAX) throw unavailable("Too many people are signing in. Try again soon.");
  await new Promise<void>((resolve) => slots.waiting.push(resolve));
}

/** A slot goes from hand to hand: `running` falls only when nobody waits. */
function leave(): void {
  const next = slots.waiting.shift();
  if (next) next();
  else slots.running--;
}
