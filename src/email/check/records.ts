import { createPublicKey } from "node:crypto";
import { isIP } from "node:net";
import type { MailboxRecord } from "../../resources/mailbox.ts";
import type { DnsRecords } from "../../url-guard/index.ts";
import { domainOf } from "../mailboxes/rules.ts";

interface RecordFinding {
  ok: boolean;
  found: string | null;
  /** The record that would be right; null: any is, or it is not ours to say. */
  expected: string | null;
}

export interface DnsFindings {
  spf: RecordFinding;
  dkim: RecordFinding;
  dmarc: RecordFinding;
  mx: RecordFinding;
}

interface Subject {
  mailbox: Pick<MailboxRecord, "address" | "inbound" | "outbound" | "dkim">;
  /** PEM. */
  privateKey: string | null;
  /** The name under which this installation is reached. */
  ownHost: string;
}

/** What the DNS of a domain says about the mail of an address, and what it should say. */
export async function checkRecords(dns: DnsRecords, subject: Subject): Promise<DnsFindings> {
  const { address } = subject.mailbox;
  const domain = domainOf(address);
  const [spf, dkim, dmarc, mx] = await Promise.all([
    checkSpf(dns, domain, subject.mailbox.outbound?.host ?? null),
    checkDkim(dns, subject),
    checkDmarc(dns, domain, address),
    checkMx(dns, domain, subject),
  ]);
  return { spf, dkim, dmarc, mx };
}

/** What the large providers ask their customers to include. */
const INCLUDES: [RegExp, string][] = [
  [/\.(gmail|google|googlemail)\.com$/, "include:_spf.google.com"],
  [/\.(office365|outlook)\.com$/, "include:spf.protection.outlook.com"],
  [/\.fastmail\.com$/, "include:spf.messagingengine.com"],
  [/\.zoho\.(com|eu)$/, "include:zoho.com"],
];

async function checkSpf(dns: DnsRecords, domain: string, host: string | null): Promise<RecordFinding> {
  const found = (await dns.texts(domain)).filter((text) => /^v=spf1(\s|$)/i.test(text));
  const include = INCLUDES.find(([pattern]) => pattern.test(`.${host ?? ""}`))?.[1];
  const expected = `v=spf1 ${include ?? (host === null ? "mx" : mechanismOf(host))} ~all`;
  // RFC 7208: with two records neither counts.
  const [only] = found;
  const ok = found.length === 1 && (include === undefined || (only ?? "").toLowerCase().includes(include));
  return { ok, found: found.length === 0 ? null : found.join("\n"), expected };
}

/** A server on this machine sends under another address: most likely that of the domain's own mail server. */
function mechanismOf(host: string): string {
  if (/^(127\.|::1$|localhost$)/.test(host)) return "mx";
  return `${isIP(host) === 0 ? "a" : `ip${isIP(host)}`}:${host}`;
}

async function checkDkim(dns: DnsRecords, { mailbox: { dkim }, privateKey }: Subject): Promise<RecordFinding> {
  // Without a key of ours the mail server signs, under a name that only it knows.
  if (dkim === null || privateKey === null) return { ok: true, found: null, expected: null };
  const [found = null] = await dns.texts(`${dkim.selector}._domainkey.${dkim.domain}`);
  const { kind, key } = publicKeyOf(privateKey);
  const published = /(?:^|;)\s*p=([^;]*)/i.exec(found ?? "")?.[1]?.replace(/\s/g, "");
  return { ok: published === key, found, expected: `v=DKIM1; k=${kind}; p=${key}` };
}

function publicKeyOf(privateKey: string): { kind: string; key: string } {
  const key = createPublicKey(privateKey);
  const der = key.export({ type: "spki", format: "der" });
  // RFC 8463: the 32 bytes of the key alone.
  if (key.asymmetricKeyType === "ed25519") return { kind: "ed25519", key: der.subarray(-32).toString("base64") };
  return { kind: "rsa", key: der.toString("base64") };
}

/** Of the domain, or of the one above it (RFC 7489, 6.6.3). */
async function checkDmarc(dns: DnsRecords, domain: string, address: string): Promise<RecordFinding> {
  const above = domain.split(".").slice(1).join(".");
  const names = above.includes(".") ? [domain, above] : [domain];
  for (const name of names) {
    const found = (await dns.texts(`_dmarc.${name}`)).find((text) => /^v=DMARC1\s*(;|$)/i.test(text));
    if (found) return { ok: true, found, expected: null };
  }
  return { ok: false, found: null, expected: `v=DMARC1; p=none; rua=mailto:${address}` };
}

async function checkMx(dns: DnsRecords, domain: string, { mailbox, ownHost }: Subject): Promise<RecordFinding> {
  const found = (await dns.exchanges(domain)).sort((one, other) => one.priority - other.priority);
  const text = found.map(({ priority, exchange }) => `${priority} ${exchange}`).join("\n") || null;
  const expected = mailbox.inbound?.type === "smtp" ? `10 ${ownHost}` : null;
  return { ok: found.length > 0, found: text, expected };
}
