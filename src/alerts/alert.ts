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

/** What a statement finds: its subject, in its workspace. */
export interface SubjectRow {
  workspace_id: number;
  id: number;
  name: string;
}

export const alertOf = (
  kind: AlertKind,
  stage: string,
  { workspace_id: workspaceId, id, name }: SubjectRow,
  detail: Alert["detail"] = () => "",
): Alert => ({ workspaceId, kind, stage, subject: { id, name }, detail });

/** Each has its texts in alert-texts.ts and a row in docs/alerts.md. */
export type AlertKind = "webhook" | "key" | "backlog" | "backup" | "consumer" | "mailbox";
