import type { SsoPolicy } from "../../../accounts/identities.ts";
import type { Sso } from "../../../accounts/sso.ts";
import type { SendTestMessage } from "../../../alerts/test-message.ts";
import type { KeyOptions } from "../../../auth/keys.ts";
import type { Usage } from "../../../auth/usage.ts";
import type { Presence } from "../../../conversations/presence.ts";
import type { ComposeOptions } from "../../../email/outbound/mailbox-mail.ts";
import type { PushToBrowsers } from "../../../notify/push.ts";
import type { Limiter } from "../../../rate-limit/limiter.ts";
import { routeWith } from "../../pipeline/route.ts";
import type { SigningInOptions } from "./signing-in.ts";

/** `external`: backups are those of the operator's own database. */
export const BACKUP_STATES = ["scheduled", "missing", "external"] as const;

/** What the routes of the dashboard work with. */
export interface Services extends SigningInOptions {
  keys: KeyOptions;
  sso: Sso | null;
  ssoPolicy: SsoPolicy;
  usage: Pick<Usage, "flush">;
  backups: (typeof BACKUP_STATES)[number];
  /** By name; null: without a limit. */
  tierLimits: Readonly<Record<string, { requests: number; windowSeconds: number } | null>>;
  retrySchedule: readonly number[];
  presence: Presence;
  sendTestMessage: SendTestMessage;
  pushes: { publicKey: string; push: PushToBrowsers };
  checkUrl: (
    url: string,
    workspaceId: number,
  ) => Promise<{ ok: true; resolves: boolean } | { ok: false; message: string }>;
  mailboxTests: { compose: ComposeOptions; limit: Limiter };
}

export const route = routeWith<Services>();
