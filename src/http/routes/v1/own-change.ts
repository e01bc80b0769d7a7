import type { FastifyRequest } from "fastify";
import { viewerOf } from "../../../conversations/conversation-find.ts";
import type { OwnChange } from "../../../conversations/presence.ts";
import type { Caller } from "../../../core/caller.ts";

/** Notifies a user's other pages of what only that user sees: what is read, and the draft. */
export type ReportOwnChange = (change: OwnChange) => void;

interface Request {
  caller: Caller;
  request: Pick<FastifyRequest, "headers">;
}

/** A random name that each page of the dashboard has: it need not read again what it has changed itself. */
const PAGE_HEADER = "x-parley-page";
const ORIGIN_CHARS_MAX = 64;

/** What an API key changes belongs to no user. */
export function reportOwnChange(report: ReportOwnChange, { caller, request }: Request, conversationId: number): void {
  const userId = viewerOf(caller);
  if (userId === null) return;
  const origin = String(request.headers[PAGE_HEADER] ?? "").slice(0, ORIGIN_CHARS_MAX);
  report({ workspaceId: caller.workspaceId, userId, conversationId, origin });
}
