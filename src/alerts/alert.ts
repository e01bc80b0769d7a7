import type { Translate } from "./text.ts";

/** A problem with one subject of a workspace, or the end of one. Each is reported once. */
export interface Alert {
  workspaceId: number;
  kind: AlertKind;
  stage: string;
  /** Absent where it concerns the workspace or the installation as a whole. */
  subject?: { id: number; name: string /** What its page is called, where that is not the id. */; page?: string };
  /** Completes the line about the subject: "since 2026-07-14 10:00 UTC". */
  detail?: (t: Translate) => string;
}

/** Each has its texts in alert-texts.ts and a row in docs/alerts.md. */
export type AlertKind = "webhook" | "key" | "backlog" | "backup" | "consumer" | "mailbox";
