import { useState } from "react";
import type { Recipient, ReplyDefaults } from "../../../api/mail.ts";
import { workspaceInUrl } from "../../../lib/workspace.ts";
import type { ReplyEmail } from "./outbox-state.ts";

/** To whom a reply goes, as the fields hold it. */
export interface EditedRecipients {
  to: string;
  cc: string;
  bcc: string;
  subject: string;
}

/** What a person has chosen outlives the composer, as what they typed does. */
const edited = new Map<string, EditedRecipients>();

/** Null: as the server suggests. */
export function useRecipients(conversation: number) {
  const name = `${workspaceInUrl()}:${conversation}`;
  const [, redraw] = useState(0);
  const value = edited.get(name) ?? null;
  const set = (next: EditedRecipients | null) => {
    if (next) edited.set(name, next);
    else edited.delete(name);
    redraw((count) => count + 1);
  };
  /** What a reply says of them; the next one goes to whom the server suggests. */
  const handOver = (): { email?: ReplyEmail } => {
    set(null);
    return value ? { email: emailOf(value) } : {};
  };
  return { value, set, handOver };
}

/** What a reply says of its recipients. A copy to nobody is said too: otherwise the suggested ones get it. */
const emailOf = ({ to, cc, bcc, subject }: EditedRecipients): ReplyEmail => ({
  to: addressesOf(to),
  cc: addressesOf(cc),
  bcc: addressesOf(bcc),
  ...(subject.trim() ? { subject: subject.trim() } : {}),
});

/** Of a reply that was undone. */
export const editedOf = ({ to, cc, bcc, subject }: ReplyEmail): EditedRecipients => ({
  to: textOf(to),
  cc: textOf(cc),
  bcc: textOf(bcc),
  subject: subject ?? "",
});

export const suggestedBy = ({ to, cc, subject }: Pick<ReplyDefaults, "to" | "cc" | "subject">): EditedRecipients => ({
  to: textOf(to),
  cc: textOf(cc),
  bcc: "",
  subject,
});

type Named = Pick<Recipient, "address"> & { name?: string | null };

const textOf = (people: readonly Named[] | null | undefined): string =>
  (people ?? [])
    .map(({ name, address }) => (name ? `${name.replace(/[,;<>"]/g, " ").trim()} <${address}>` : address))
    .join(", ");

export const addressesOf = (text: string): Named[] =>
  text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [, name = "", address] = /^(.*?)\s*<([^<>]*)>$/.exec(part) ?? [];
      return address === undefined ? { address: part } : { address: address.trim(), ...(name ? { name } : {}) };
    });
