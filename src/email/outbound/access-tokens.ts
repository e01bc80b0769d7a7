import { requestAccessToken } from "../oauth.ts";
import type { DueMailbox } from "./queue.ts";

/** Access tokens of accounts that sign in by OAuth, each kept in memory until shortly before it expires. */
export interface AccessTokens {
  /** As the settings of the mailbox were at that version. */
  get(mailbox: DueMailbox, version: number): Promise<string>;
  /** The server refused it: the next one is asked for again. */
  forget(mailbox: DueMailbox): void;
}

const EARLY_MS = 60_000;
const ACCOUNTS_MAX = 10_000;

export function createAccessTokens(options: Parameters<typeof requestAccessToken>[0]): AccessTokens {
  const known = new Map<string, { token: string; version: number; expiresAt: number }>();
  const keyOf = ({ workspaceId, mailboxId }: DueMailbox): string => `${workspaceId}:${mailboxId}`;
  return {
    async get(mailbox, version) {
      const key = keyOf(mailbox);
      const cached = known.get(key);
      if (cached?.version === version && cached.expiresAt - EARLY_MS > Date.now()) return cached.token;
      const { workspaceId, mailboxId } = mailbox;
      const { token, expiresAt } = await requestAccessToken(options, { workspaceId, mailboxId, part: "outbound" });
      if (known.size >= ACCOUNTS_MAX) known.clear();
      known.set(key, { token, version, expiresAt });
      return token;
    },
    forget: (mailbox) => void known.delete(keyOf(mailbox)),
  };
}
