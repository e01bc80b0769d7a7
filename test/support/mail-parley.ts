import type { TestDatabase } from "./database.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";
import { startParley, type TestParley } from "./parley.ts";

export const PUBLIC_URL = "https://chat.example.com";

export const mailSettings = (port: number): Record<string, string> => ({
  PARLEY_SMTP_URL: `smtp://mailer:smtp-hush@127.0.0.1:${port}`,
  PARLEY_SMTP_TLS: "dangerous-off",
  PARLEY_MAIL_FROM: "Parley <alerts@example.com>",
  PARLEY_PUBLIC_URL: PUBLIC_URL,
});

const ACCOUNT = { account: { user: "mailer", password: "smtp-hush" } };

export const startTestMailServer = (options: { port?: number; acceptAfterMs?: number } = {}): Promise<MailServer> =>
  startMailServer({ ...ACCOUNT, ...options });

/** The product with a mail server of its own. */
export async function startMailParley(
  settings: Record<string, string> = {},
  shared?: TestDatabase,
): Promise<{ parley: TestParley; mail: MailServer }> {
  const mail = await startTestMailServer();
  return { mail, parley: await startParley({ ...mailSettings(mail.port), ...settings }, shared) };
}
