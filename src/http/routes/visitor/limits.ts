import type { Limit, Limiter } from "../../../rate-limit/limiter.ts";
import type { Visitor } from "../../../visitors/visitor.ts";
import { addressGroup, tooMany } from "../../pipeline/access.ts";

interface VisitorLimitSettings {
  messagesPerMinute: number;
  sessionsPerAddress: number;
  sessionsPerWidget: number;
}

export interface VisitorLimits {
  /** Each throws when there were too many in this minute. */
  message(visitor: Visitor): Promise<void>;
  file(visitor: Visitor): Promise<void>;
  /** A report that others see at once: the visitor types, or has read. */
  signal(visitor: Visitor): Promise<void>;
  /** Before a session is started; does nothing where there is one. */
  session(visitor: Visitor, ip: string): Promise<void>;
}

const FILES_PER_MINUTE = 10;
/** The chat says that its visitor types every three seconds, and what was read with each reply. */
const SIGNALS_PER_MINUTE = 120;
const MINUTE = 60;

/** `limiterOf`: a limit over all nodes. */
export function createVisitorLimits(
  settings: VisitorLimitSettings,
  limiterOf: (limit: Limit, name: string) => Limiter,
): VisitorLimits {
  const perMinute = (name: string, requests: number, sentence: string) => {
    const limiter = limiterOf({ requests, windowSeconds: MINUTE }, name);
    return async (key: string): Promise<void> => {
      const verdict = await limiter.consume(key);
      if (!verdict.allowed) throw tooMany(verdict, `${sentence} Try again in ${waitOf(verdict.resetMs)}.`);
    };
  };
  const messages = perMinute("visitor-messages", settings.messagesPerMinute, "You are sending very fast.");
  const files = perMinute("visitor-files", FILES_PER_MINUTE, "You are sending many files.");
  const signals = perMinute("visitor-signals", SIGNALS_PER_MINUTE, "You are sending very fast.");
  const busy = "Many people are starting a chat at this moment.";
  const ofAddress = perMinute("visitor-sessions-address", settings.sessionsPerAddress, busy);
  const ofWidget = perMinute("visitor-sessions-widget", settings.sessionsPerWidget, busy);
  const keyOf = ({ tokenDigest }: Visitor): string => tokenDigest.toString("base64url");
  return {
    message: (visitor) => messages(keyOf(visitor)),
    file: (visitor) => files(keyOf(visitor)),
    signal: (visitor) => signals(keyOf(visitor)),
    async session({ session, workspaceId, widget }, ip) {
      if (session) return;
      await ofAddress(addressGroup(ip));
      await ofWidget(`${workspaceId}:${widget.id}`);
    },
  };
}

function waitOf(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return seconds === 1 ? "a second" : `${seconds} seconds`;
}
