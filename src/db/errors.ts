import { Fault, unavailable } from "../core/errors.ts";

interface PgError extends Error {
  code?: string;
  constraint?: string;
}

/** Serialisation failure and deadlock: the transaction did nothing and may run again. */
export const isTransient = (error: unknown): boolean => ["40001", "40P01"].includes(codeOf(error));

/** The values were refused, and would be again: data exceptions, limits of the program, and checks. */
export const isRefusedData = (error: unknown): boolean => /^(22|54)...$|^23514$/.test(codeOf(error));

export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  codeOf(error) === "23505" && (error as PgError).constraint === constraint;

/** The database refused the statement and stored nothing of it. A lost connection or a timeout is not one of these. */
export const isStatementError = (error: unknown): boolean =>
  (/^[0-9A-Z]{5}$/.test(codeOf(error)) && !isUnavailable(error)) ||
  (error instanceof Fault && FENCED.has(codeOf(error.cause)));

/** The statement took longer than it may. */
export const isTimeout = (error: unknown): boolean =>
  codeOf(error) === "57014" || (error instanceof Error && error.message === "Query read timeout");

/** The database has canceled the statement for its time limit, and stored nothing of it. Not: a person has canceled it. */
export const isCanceledByTimeout = (error: unknown): boolean =>
  codeOf(error) === "57014" && /timeout/.test((error as Error).message);

const isCanceledByPerson = (error: unknown): boolean => codeOf(error) === "57014" && !isCanceledByTimeout(error);

/** The day's partition of the log is missing. */
export const isMissingPartition = (error: unknown): boolean =>
  codeOf(error) === "23514" && /no partition/.test((error as Error).message);

/** What the triggers of cells/fence.ts raise. */
const WORKSPACE_MOVING = "PM001";
const WORKSPACE_MOVED = "PM002";
const FENCED: ReadonlySet<string> = new Set([WORKSPACE_MOVING, WORKSPACE_MOVED]);

/** The workspace is in another cell: no statement of this one will ever be accepted again. */
export const isWorkspaceMoved = (error: unknown): boolean =>
  error instanceof Fault && codeOf(error.cause) === WORKSPACE_MOVED;

export const MOVING =
  "This workspace is being moved to another cell. Reading works; try again in a few seconds to write.";

/** It may be the caller's own doing: requests that change the same records wait for each other. */
const TOO_LONG =
  "The database did not finish this in time: it is busy, or other requests change the same records. Try again.";

/** Turns every form of "the database is unavailable" into the one public fault for it; any other error passes unchanged. */
export function asFault(error: unknown): unknown {
  if (codeOf(error) === WORKSPACE_MOVING) return unavailable(MOVING, error);
  // A node that has not noticed yet; it responds with a 421 within a second.
  if (codeOf(error) === WORKSPACE_MOVED) return unavailable((error as Error).message, error);
  const problem = storageProblem(error);
  if (problem !== null) return unavailable(`The database cannot write: ${problem}.`, error);
  if (isTimeout(error) && !isCanceledByPerson(error)) return unavailable(TOO_LONG, error);
  return isUnavailable(error) ? unavailable("The database is not available. Try again soon.", error) : error;
}

/** What is wrong with the disk of the database, if the error says so. Nothing of the statement was stored. */
export function storageProblem(error: unknown): string | null {
  const code = codeOf(error);
  if (code === "53100") return "the disk is full";
  if (code === "58030") return "the disk reports errors";
  // PostgreSQL reports a file system that has become read-only, as a failing one does, as a missing privilege.
  if (code === "42501" && /read-only file system/i.test((error as Error).message))
    return "its file system is read-only";
  return null;
}

// SQLSTATE classes: 08 connection, 53 out of resources (53100 is a full disk), 57 operator intervention, 58 system
// error, 25006 read-only (a standby). 57014 is a statement that ran into its time limit.
const UNAVAILABLE_CLASS = /^(08|53|57|58)|^25006$/;
const UNAVAILABLE_SYSTEM = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EACCES",
]);
const UNAVAILABLE_DRIVER =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/;

/** The connection is lost, or the database cannot work: it does not respond in time, is out of resources or read-only. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (/^[0-9A-Z]{5}$/.test(code) && UNAVAILABLE_CLASS.test(code)) return true;
  if (storageProblem(error) !== null) return true;
  return UNAVAILABLE_SYSTEM.has(code) || UNAVAILABLE_DRIVER.test(error.message);
}

const codeOf = (error: unknown): string => (error instanceof Error ? ((error as PgError).code ?? "") : "");
