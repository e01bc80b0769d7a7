import type { WebhookRecord } from "../resources/webhook.ts";

/**
 * Both values of each changed field. The path of a url and the value of a header may be credentials, and a user who reads
 * the audit log need not be allowed to read webhooks: of these only the host and the names are kept.
 */
export function auditedChanges(before: WebhookRecord, after: WebhookRecord, changed: (keyof WebhookRecord)[]) {
  return Object.fromEntries(
    changed.map((field) => [field, { from: audited(before, field), to: audited(after, field) }]),
  );
}

function audited(record: WebhookRecord, field: keyof WebhookRecord): unknown {
  if (field === "url") return `${new URL(record.url).origin}/…`;
  if (field === "headers") return record.headers.map(({ key }) => key);
  return record[field];
}
