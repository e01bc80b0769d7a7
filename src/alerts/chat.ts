import type { SecretBox } from "../core/secret-box.ts";
import { SendFailure } from "../core/send-failure.ts";
import { type Queryable, sql } from "../db/database.ts";
import type { Outbound } from "../url-guard/index.ts";
import type { Text } from "./text.ts";

export interface ChatSender {
  /** Posts to the incoming webhook of the workspace. False: it has none (any more). Rejects with a SendFailure. */
  send(workspaceId: number, text: Text): Promise<boolean>;
}

const readStatement = sql("alert_slack_url", "select slack_url_sealed from alert_settings where workspace_id = $1");

const CHAT_MS_MAX = 10_000;

export const slackContextOf = (workspaceId: number): string => `alert-settings:slack:${workspaceId}`;

/** Sends through the guarded connector, as webhooks do, because the URL was chosen by a user. */
export const createChatSender = (db: Queryable, box: SecretBox, outbound: Outbound): ChatSender => ({
  async send(workspaceId, text) {
    const [row] = await db.query<{ slack_url_sealed: string | null }>(readStatement, [workspaceId]);
    if (!row?.slack_url_sealed) return false;
    const url = box.open(row.slack_url_sealed, slackContextOf(workspaceId));
    const { statusCode, error } = await outbound.send({
      url,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: slackText(text) }),
      timeoutMs: CHAT_MS_MAX,
      group: String(workspaceId),
    });
    if (statusCode >= 200 && statusCode < 300) return true;
    // The body of the response is neither kept nor shown: the URL may lead anywhere.
    const permanent = statusCode >= 300 && statusCode < 500 && statusCode !== 408 && statusCode !== 429;
    throw new SendFailure(statusCode === 0 ? (error?.message ?? "no response") : `HTTP ${statusCode}`, { permanent });
  },
});

/** Slack reads these three characters as markup, such as `<!channel>` for everybody. */
const slackText = ({ subject, text }: Text): string =>
  `*${subject.replaceAll("*", "∗")}*\n${text}`.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
