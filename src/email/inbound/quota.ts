import { Fault } from "../../core/errors.ts";

/** What is said where the files of the workspace have reached their limit; null: it is another error. */
export const quotaSentence = (error: unknown): string | null =>
  error instanceof Fault && error.code === "VALIDATION_ERROR" ? (error.details?.files?.[0] ?? null) : null;
