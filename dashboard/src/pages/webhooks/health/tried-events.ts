import type { WebhookHealth } from "../../../api/webhooks.ts";

/** Those that arrived, those that will not be sent again, and those that have not arrived yet. */
export const triedEvents = ({ delivered, failed, retrying }: WebhookHealth): number => delivered + failed + retrying;
