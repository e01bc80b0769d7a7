import { type Logger as PinoLogger, pino } from "pino";

export type Logger = PinoLogger;

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Paths that never reach a log line. Secrets are kept out by not logging headers and bodies at all; this list is the
 * second wall, for the object somebody logs in a hurry.
 */
const REDACTED = ["authorization", "cookie", "key", "secret", "password", "token", "set_cookie"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

export function createLogger(level: LogLevel, destination: NodeJS.WritableStream = process.stdout): Logger {
  return pino(
    { level, redact: { paths: REDACTED, censor: "[redacted]" }, base: { pid: process.pid } },
    destination as NodeJS.WritableStream & { write(line: string): void },
  );
}
