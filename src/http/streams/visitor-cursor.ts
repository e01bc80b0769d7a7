import type { SecretBox } from "../../core/secret-box.ts";

interface VisitorCursors {
  encode(workspaceId: number, position: number): string;
  /** Null: not a cursor of this workspace. */
  decode(workspaceId: number, text: string): number | null;
}

/** Positions count the events of the workspace, which is nothing for visitors to know: what they get is sealed. */
export function createVisitorCursors(secretBox: SecretBox): VisitorCursors {
  const contextOf = (workspaceId: number): string => `visitor-stream:${workspaceId}`;
  return {
    encode: (workspaceId, position) => secretBox.seal(String(position), contextOf(workspaceId)),
    decode(workspaceId, text) {
      try {
        const position = Number(secretBox.open(text, contextOf(workspaceId)));
        return Number.isSafeInteger(position) ? position : null;
      } catch {
        return null;
      }
    },
  };
}
