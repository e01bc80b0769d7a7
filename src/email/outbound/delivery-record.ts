import { formatTimestamp } from "../../core/timestamps.ts";
import type { MessageRecord } from "../../resources/conversations.ts";

type MessageDelivery = NonNullable<MessageRecord["delivery"]>;
export type DeliveryState = MessageDelivery["state"];

export interface RecipientRow {
  position: number;
  address: string;
  state: DeliveryState;
  error: string | null;
}

export interface MailRow {
  attempts: number;
  next_attempt_at: string | Date | null;
  error: string | null;
}

/** The first that any recipient has is that of the mail: accepted for one is sent, whatever the others still wait for. */
const ORDER: readonly DeliveryState[] = ["sending", "bounced", "sent", "unknown", "pending", "failed"];

const stateOf = (recipients: readonly Pick<RecipientRow, "state">[]): DeliveryState =>
  ORDER.find((state) => recipients.some((recipient) => recipient.state === state)) ?? "failed";

/** As a message shows it. */
export function deliveryOf(mail: MailRow, recipients: readonly RecipientRow[], now = new Date()): MessageDelivery {
  const next = mail.next_attempt_at;
  const own = recipients.find(({ state, error }) => error !== null && state === stateOf(recipients));
  return {
    state: stateOf(recipients),
    attempts: mail.attempts,
    next_attempt_at: next === null ? null : formatTimestamp(new Date(next)),
    error: own?.error ?? mail.error,
    recipients: recipients.map(({ address, state, error }) => ({ address, state, error })),
    updated_at: formatTimestamp(now),
  };
}
