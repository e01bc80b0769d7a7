import { domainToASCII } from "node:url";
import type { ReplyAddress, ReplyEmail } from "../../conversations/new-message.ts";
import { type FieldErrors, problems } from "../../core/errors.ts";
import type { MessageRecord } from "../../resources/conversations.ts";
import { isOwnAddress } from "../sender.ts";
import { oneLine, type Person } from "./mime.ts";

export interface Recipients {
  to: Person[];
  cc: Person[];
  bcc: Person[];
}

/** What the recipients of a reply follow from. */
export interface Known {
  /** The mail that is replied to: the last of a person who takes part. */
  parent: MessageRecord["email"];
  contact: { name: string | null; email: string | null };
  /** Addresses of our own mailboxes, in lower case. */
  own: ReadonlySet<string>;
}

export const RECIPIENTS_MAX = 50;
const ADDRESS_CHARS_MAX = 320;
// Strict about what could end a command, and about nothing else: servers know their own addresses.
const SENDABLE = /^[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]{1,64}@[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]{1,255}$/u;

/** Null: no mail server would take it. Names of domains in other scripts are written as servers expect them. */
function sendableAddress(text: string): string | null {
  const address = text.trim();
  if (address.length > ADDRESS_CHARS_MAX || !SENDABLE.test(address)) return null;
  const at = address.lastIndexOf("@");
  const domain = domainToASCII(address.slice(at + 1));
  return domain === ""
    ? null
    : `${address.slice(0, at)}@${/[^\0-\x7f]/.test(address.slice(at)) ? domain : address.slice(at + 1)}`;
}

/** No such domain exists, now or later (RFC 6761, 6.4): asking a mail server would change nothing. */
export const canNeverArrive = (address: string): boolean => /[@.]invalid\.?$/i.test(address);
export const NEVER_ARRIVES = "Addresses in the domain invalid do not exist.";

/** Whom a reply goes to: those that the body names, or those whom a mail program would suggest. Our own never. */
export function recipientsOf(email: ReplyEmail | null, known: Known): Recipients {
  const suggested = suggestedRecipients(known);
  const to = email?.to ? email.to.map(personOf) : suggested.to;
  // A caller who chooses the recipients chooses all of them: copies go to nobody by default.
  const cc = email?.cc ? email.cc.map(personOf) : email?.to ? [] : suggested.cc;
  return without(known.own, { to, cc, bcc: (email?.bcc ?? []).map(personOf) });
}

/** To the sender of the last mail, with those whom they copied; above the limit to the sender alone. */
export function suggestedRecipients({ parent, contact, own }: Known): Recipients {
  if (!parent) {
    const to = contact.email === null ? [] : [{ name: contact.name, address: contact.email }];
    return without(own, { to, cc: [], bcc: [] });
  }
  const from = parent.from ? [parent.from] : [];
  const all = without(own, { to: parent.reply_to.length > 0 ? parent.reply_to : from, cc: parent.cc, bcc: [] });
  if (all.to.length + all.cc.length <= RECIPIENTS_MAX && all.to.length > 0) return all;
  return without(own, { to: from.length > 0 ? from : parent.reply_to.slice(0, 1), cc: [], bcc: [] });
}

/** Each address once, in the order to, cc, bcc. */
function without(own: ReadonlySet<string>, given: Recipients): Recipients {
  const seen = new Set<string>();
  const kept = (people: readonly Person[]): Person[] =>
    people.flatMap(({ name, address }) => {
      const sendable = sendableAddress(address);
      const folded = sendable?.toLowerCase();
      if (!sendable || !folded || isOwnAddress(own, folded) || seen.has(folded)) return [];
      seen.add(folded);
      return [{ name: oneLine(name ?? "").slice(0, 255) || null, address: sendable }];
    });
  return { to: kept(given.to), cc: kept(given.cc), bcc: kept(given.bcc) };
}

const personOf = ({ address, name }: ReplyAddress): Person => ({ address, name: name ?? null });

/** What is wrong with the addresses of a body, apart from who may write to them. */
export function emailProblems(email: ReplyEmail | null | undefined, prefix = ""): FieldErrors {
  if (!email) return {};
  const named = (["to", "cc", "bcc"] as const).flatMap((list) =>
    (email[list] ?? []).map(({ address }, index) => ({ path: `${list}.${index}.address`, address })),
  );
  const wrong = named
    .filter(({ address }) => typeof address === "string" && sendableAddress(address) === null)
    .map(({ path }) => `${prefix}email.${path} must be an e-mail address.`);
  const tooMany = named.length > RECIPIENTS_MAX;
  return problems({
    email: [
      ...wrong,
      ...(tooMany ? [`${prefix}email must not have more than ${RECIPIENTS_MAX} recipients together.`] : []),
    ],
  });
}
