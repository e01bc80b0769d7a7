import type { Principal } from "../../auth/principal.ts";
import { Fault, unavailable } from "../../core/errors.ts";

export interface StreamLimits {
  /** Open streams of one API key, or of one person in one workspace. */
  perKey: number;
  perWorkspace: number;
}

/** Of one process, for all callers together. */
const STREAMS_MAX = 5_000;
const RETRY_AFTER_SECONDS = 10;

interface StreamCounts {
  /** Counts one more stream, or throws. Call the result when the stream has ended. */
  add(principal: Principal): () => void;
}

/** One key or workspace that opens streams without end must not keep others from opening theirs. */
export function createStreamCounts({ perKey, perWorkspace }: StreamLimits): StreamCounts {
  const counts = new Map<string, number>();
  let total = 0;

  const countOf = (name: string): number => counts.get(name) ?? 0;

  function change(name: string, by: number): void {
    const count = countOf(name) + by;
    if (count > 0) counts.set(name, count);
    else counts.delete(name);
  }

  return {
    add(principal) {
      const workspace = `workspace ${principal.workspaceId}`;
      const owner = `${workspace} ${principal.kind === "user" ? `user ${principal.userId}` : `key ${principal.apiKeyId}`}`;
      if (total >= STREAMS_MAX) throw unavailable("This server cannot hold more streams. Try again soon.");
      if (countOf(owner) >= perKey)
        throw tooMany(
          `At most ${perKey} streams can be open at once per ${principal.kind === "user" ? "person" : "API key"}.`,
        );
      if (countOf(workspace) >= perWorkspace)
        throw tooMany(`At most ${perWorkspace} streams can be open at once per workspace.`);
      total++;
      change(owner, 1);
      change(workspace, 1);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        total--;
        change(owner, -1);
        change(workspace, -1);
      };
    },
  };
}

const tooMany = (limit: string): Fault =>
  new Fault("RATE_LIMIT_EXCEEDED", `${limit} Close one first.`, { retryAfter: RETRY_AFTER_SECONDS });
