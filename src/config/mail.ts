import { type Config, ConfigError } from "./index.ts";
import type { Mailbox } from "./parse.ts";

interface MailConfig {
  smtpUrl: string;
  /** False: the operator has turned TLS off. */
  requireTls: boolean;
  from: Mailbox;
  /** Where the links in e-mails lead. Never the host of a request, which its sender could choose. */
  publicUrl: string;
}

/** The settings for e-mail taken together; null where none are given. Throws a sentence for each that is missing. */
export function mailConfigOf(config: Config): MailConfig | null {
  const { PARLEY_SMTP_URL: smtpUrl, PARLEY_MAIL_FROM: from, PARLEY_PUBLIC_URL: publicUrl } = config;
  const requireTls = config.PARLEY_SMTP_TLS === "required";
  if (smtpUrl === null && from === null) return null;
  const problems = [
    ...(smtpUrl === null
      ? ["PARLEY_MAIL_FROM is set and PARLEY_SMTP_URL is not: both are needed to send e-mail."]
      : []),
    ...(from === null ? ["PARLEY_SMTP_URL is set and PARLEY_MAIL_FROM is not: both are needed to send e-mail."] : []),
    ...(publicUrl === null
      ? ["PARLEY_SMTP_URL needs PARLEY_PUBLIC_URL, the address that the links in e-mails lead to."]
      : []),
    ...(smtpUrl !== null && !requireTls && sendsPasswordUnencrypted(smtpUrl)
      ? [
          "PARLEY_SMTP_TLS is dangerous-off and PARLEY_SMTP_URL has a password: it would be sent unencrypted to another " +
            "machine. Set PARLEY_SMTP_TLS to required, or leave the user and password out.",
        ]
      : []),
  ];
  if (smtpUrl === null || from === null || publicUrl === null || problems.length > 0) throw new ConfigError(problems);
  return { smtpUrl, requireTls, from, publicUrl };
}

function sendsPasswordUnencrypted(smtpUrl: string): boolean {
  const { protocol, hostname, password } = new URL(smtpUrl);
  return protocol === "smtp:" && password !== "" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
