import { Secret, TOTP } from "otpauth";

const PERIOD_MS = 30_000;

/**
 * A code of an authenticator app. `confirm`: the code of now. `next`: the one after it. The server accepts each code once,
 * and one period early or late, so both stay valid for at least another period however slow the machine is, and the
 * next one is always later than one that was used before. The code of the period before may become invalid at any moment.
 */
export const totpCode = (secret: string, which: "confirm" | "next"): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + (which === "next" ? PERIOD_MS : 0),
  });
