import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { COMMON_PASSWORDS } from "./common-passwords.ts";
import { createHashingQueue, type HashingTurn } from "./hashing-queue.ts";

export const PASSWORD_CHARS_MIN = 10;
export const PASSWORD_CHARS_MAX = 256;

/** OWASP's first choice for scrypt (Password Storage Cheat Sheet): 128 MiB and about 0.3 s per password. */
const LOG_N = 17;
const BLOCK_SIZE = 8;
const PARALLEL = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

// Each computation takes 128 MiB and one of libuv's four threads. Two at once keep a flood of sign-ins within 256 MiB
// and leave threads to the rest of the process.
const queue = createHashingQueue({ concurrency: 2, waitingMax: 64 });

/** For work that no browser asked for: commands. */
const LOCAL: HashingTurn = { address: "", isKnownDevice: false };

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface Passwords {
  /** Text in the PHC form, with its parameters: raising them later leaves old passwords valid. */
  hash(password: string, turn?: HashingTurn): Promise<string>;
  /** Costs the same whether there is such a person (`stored` is their text) or not (null). */
  verify(stored: string | null, password: string, turn?: HashingTurn): Promise<boolean>;
  /** True for a password that was stored under weaker parameters than today's. */
  isOutdated(stored: string): boolean;
}

/** `dangerousLogN` makes passwords cheap to compute and to guess: for tests that sign in a hundred times. */
export function createPasswords({ dangerousLogN: logN = LOG_N }: { dangerousLogN?: number } = {}): Passwords {
  const prefix = `$scrypt$ln=${logN},r=${BLOCK_SIZE},p=${PARALLEL}$`;
  const format = (salt: Buffer, hash: Buffer): string => `${prefix}${base64(salt)}$${base64(hash)}`;
  const decoy = format(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));
  return {
    async hash(password, turn = LOCAL) {
      const salt = randomBytes(SALT_BYTES);
      const input = { salt, bytes: HASH_BYTES, logN, r: BLOCK_SIZE, p: PARALLEL };
      return format(salt, await derive(turn, password, input));
    },
    async verify(stored, password, turn = LOCAL) {
      const match = STORED.exec(stored ?? decoy);
      if (!match) throw new Error("A stored password has an unknown form.");
      const [, storedLogN, r, p, salt = "", hash = ""] = match;
      const expected = Buffer.from(hash, "base64");
      const actual = await derive(turn, password, {
        salt: Buffer.from(salt, "base64"),
        bytes: expected.length,
        logN: Number(storedLogN),
        r: Number(r),
        p: Number(p),
      });
      return timingSafeEqual(actual, expected) && stored !== null;
    },
    isOutdated: (stored) => !stored.startsWith(prefix),
  };
}

/** Sentences about a password that nobody may choose. Length counts, and not being one that attackers try first. */
export function passwordProblems(password: string): string[] {
  const chars = [...password].length;
  if (chars < PASSWORD_CHARS_MIN) return [`password must have at least ${PASSWORD_CHARS_MIN} characters.`];
  if (chars > PASSWORD_CHARS_MAX) return [`password must have at most ${PASSWORD_CHARS_MAX} characters.`];
  if (password.trim() === "") return ["password must not consist of spaces alone."];
  return isCommon(password) ? ["password is one of the most common passwords. Choose another one."] : [];
}

const common = new Set(COMMON_PASSWORDS);

const isCommon = (password: string): boolean => common.has(spelling(password).trim().toLowerCase());

const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

type Parameters = { salt: Buffer } & Record<"bytes" | "logN" | "r" | "p", number>;

function derive(turn: HashingTurn, password: string, { salt, bytes, logN, r, p }: Parameters): Promise<Buffer> {
  const N = 2 ** logN;
  // Node's own limit is 32 MiB; the algorithm needs 128·N·r bytes and a little more.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * N * r * p + 32 * 1024 * 1024 };
  return queue.run(
    turn,
    () =>
      new Promise<Buffer>((resolve, reject) => {
        const done = (error: Error | null, key: Buffer) => (error ? reject(error) : resolve(key));
        scrypt(spelling(password), salt, bytes, options, done);
      }),
  );
}

/** One spelling of the same characters, however the keyboard composed them (NIST SP 800-63B, 5.1.1.2). */
const spelling = (password: string): string => password.normalize("NFKC");
