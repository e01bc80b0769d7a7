import { t } from "../../lib/texts.ts";
import type { Server } from "./form-values.ts";

/** How a provider's mail servers are reached, by what it publishes for mail programs. */
export interface Provider {
  id: string;
  name: string;
  /** Of the addresses that it gives out. An address of a customer's own domain names none. */
  domains: readonly string[];
  imap: Server;
  smtp: Server;
  /** Where its customers have to go first. */
  note?: string;
  /** It signs in by OAuth, with these addresses. `only`: passwords are refused. */
  oauth?: { tokenUrl: string; scope: string; only: boolean };
}

const tls = (host: string, port: number): Server => ({ host, port: String(port), security: "tls" });
const startTls = (host: string): Server => ({ host, port: "587", security: "starttls" });

const APP_PASSWORD = t("Needs an app password, which you create in the security settings of the account.");

export const PROVIDERS: readonly Provider[] = [
  {
    id: "google",
    name: t("Gmail or Google Workspace"),
    domains: ["gmail.com", "googlemail.com"],
    imap: tls("imap.gmail.com", 993),
    smtp: tls("smtp.gmail.com", 465),
    note: t("Google accepts an app password (16 letters, after two-step verification is on), or OAuth."),
    oauth: { tokenUrl: "https://oauth2.googleapis.com/token", scope: "https://mail.google.com/", only: false },
  },
  {
    id: "microsoft",
    name: t("Outlook or Microsoft 365"),
    domains: [
      "outlook.com",
      "outlook.de",
      "outlook.fr",
      "hotmail.com",
      "hotmail.de",
      "hotmail.fr",
      "live.com",
      "msn.com",
    ],
    imap: tls("outlook.office365.com", 993),
    smtp: startTls("smtp.office365.com"),
    note: t("Microsoft accepts only OAuth, no passwords."),
    oauth: {
      tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
      scope: "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
      only: true,
    },
  },
  {
    id: "yahoo",
    name: "Yahoo",
    domains: ["yahoo.com", "yahoo.de", "yahoo.fr", "yahoo.es", "yahoo.co.uk", "yahoo.com.br", "ymail.com"],
    imap: tls("imap.mail.yahoo.com", 993),
    smtp: tls("smtp.mail.yahoo.com", 465),
    note: APP_PASSWORD,
  },
  {
    id: "icloud",
    name: "iCloud",
    domains: ["icloud.com", "me.com", "mac.com"],
    imap: tls("imap.mail.me.com", 993),
    smtp: startTls("smtp.mail.me.com"),
    note: APP_PASSWORD,
  },
  {
    id: "gmx",
    name: "GMX",
    domains: ["gmx.de", "gmx.net", "gmx.at", "gmx.ch"],
    imap: tls("imap.gmx.net", 993),
    smtp: tls("mail.gmx.net", 465),
    note: t(
      "In GMX, first allow access by IMAP: Settings > POP3/IMAP. With two-factor sign-in it needs an app password.",
    ),
  },
  {
    id: "webde",
    name: "WEB.DE",
    domains: ["web.de"],
    imap: tls("imap.web.de", 993),
    smtp: startTls("smtp.web.de"),
    note: t(
      "In WEB.DE, first allow access by IMAP: Settings > POP3/IMAP. With two-factor sign-in it needs an app password.",
    ),
  },
  {
    id: "fastmail",
    name: "Fastmail",
    domains: ["fastmail.com", "fastmail.fm"],
    imap: tls("imap.fastmail.com", 993),
    smtp: tls("smtp.fastmail.com", 465),
    note: APP_PASSWORD,
  },
  {
    id: "zoho",
    name: "Zoho",
    domains: ["zoho.com", "zohomail.com"],
    imap: tls("imap.zoho.com", 993),
    smtp: tls("smtp.zoho.com", 465),
    note: t(
      "In Zoho, first allow access by IMAP: Settings > Mail accounts. Accounts of the EU use imap.zoho.eu and smtp.zoho.eu.",
    ),
  },
  {
    id: "mailbox-org",
    name: "mailbox.org",
    domains: ["mailbox.org"],
    imap: tls("imap.mailbox.org", 993),
    smtp: tls("smtp.mailbox.org", 465),
  },
  {
    id: "ionos",
    name: "IONOS",
    domains: ["online.de", "onlinehome.de"],
    imap: tls("imap.ionos.de", 993),
    smtp: tls("smtp.ionos.de", 465),
  },
  {
    id: "strato",
    name: "STRATO",
    domains: [],
    imap: tls("imap.strato.de", 993),
    smtp: tls("smtp.strato.de", 465),
  },
  {
    id: "t-online",
    name: "T-Online",
    domains: ["t-online.de", "magenta.de"],
    imap: tls("secureimap.t-online.de", 993),
    smtp: tls("securesmtp.t-online.de", 465),
    note: t("Needs the password for mail programs, which you set in the customer centre of T-Online."),
  },
  {
    id: "posteo",
    name: "Posteo",
    domains: ["posteo.de", "posteo.net"],
    imap: tls("posteo.de", 993),
    smtp: tls("posteo.de", 465),
  },
  {
    id: "aol",
    name: "AOL",
    domains: ["aol.com"],
    imap: tls("imap.aol.com", 993),
    smtp: tls("smtp.aol.com", 465),
    note: APP_PASSWORD,
  },
  {
    id: "ovh",
    name: "OVHcloud",
    domains: [],
    imap: tls("ssl0.ovh.net", 993),
    smtp: tls("ssl0.ovh.net", 465),
  },
];

export const domainOf = (address: string): string => /@([^@\s]+)$/.exec(address.trim())?.[1]?.toLowerCase() ?? "";

export function providerOf(address: string): Provider | undefined {
  const domain = domainOf(address);
  return PROVIDERS.find(({ id, domains }) =>
    id === "microsoft" ? domains.includes(domain) || domain.endsWith(".onmicrosoft.com") : domains.includes(domain),
  );
}

/** Of a stored mailbox, whose address may be of a domain of its own. */
export const providerOfHost = (host: string): Provider | undefined =>
  PROVIDERS.find(({ imap, smtp }) => imap.host === host || smtp.host === host);
