import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";

export type Logger = PinoLogger;

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Fields that never reach a log line. Secrets are kept out by not logging headers and bodies at all; this list is the
 * second barrier, for objects that are logged carelessly.
 */
const REDACTED = ["authorization", "cookie", "key", "secret", "password", "token"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

export function createLogger(level: LogLevel, destination: DestinationStream = process.stdout): Logger {
  return pino({ level, redact: { paths: REDACTED, censor: "[redacted]" }, base: { pid: process.pid } }, destination);
}

const GATHER_BYTES = 8_192;
const GATHER_MS = 200;

/**
 * A logger for a busy server: lines are written together, at the latest after GATHER_MS, since a system call for each
 * was a tenth of a read request. What is left is written when the process exits.
 */
export function createServerLogger(level: LogLevel): Logger {
  const destination = pino.destination({ fd: 1, sync: false, minLength: GATHER_BYTES });
  let isGathering = false;
  process.on("exit", () => {
    try {
      destination.flushSync();
    } catch {
      // Nothing was ever written, or nobody reads any more.
    }
  });
  return createLogger(level, {
    write(line) {
      destination.write(line);
      if (!isGathering) setTimeout(flush, GATHER_MS).unref();
      isGathering = true;
    },
  });

  function flush(): void {
    isGathering = false;
    destination.flush();
  }
}
