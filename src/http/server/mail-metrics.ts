import { Counter, Gauge, type Registry } from "prom-client";
import type { MailCounts, MailNumbers } from "../../email/counts.ts";

interface MailSources {
  /** What this process has done. */
  counts: MailCounts;
  /** Of all mailboxes; null while the database is unavailable. */
  numbers: () => Promise<MailNumbers | null>;
}

export function observeMail(registry: Registry, { counts, numbers }: MailSources): void {
  const counter = (name: string, help: string, label: string, read: () => Record<string, number>) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
      },
    });
  counter("parley_mail_in_total", "Mails that came in: stored, or known already.", "result", () => counts.in);
  counter("parley_mail_out_total", "Recipients of mail by what an attempt led to.", "state", () => counts.out);
  const gauge = (
    { name, help, labelNames = [] }: { name: string; help: string; labelNames?: string[] },
    set: (gauge: Gauge, found: MailNumbers) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const found = await numbers();
        if (labelNames.length > 0) this.reset();
        else this.remove();
        if (found) set(this, found);
      },
    });
  gauge({ name: "parley_mail_pending", help: "Mails that wait to be sent; counted up to 100,000." }, (one, found) =>
    one.set(found.pending),
  );
  gauge(
    {
      name: "parley_mail_oldest_pending_seconds",
      help: "Age of the oldest mail that waits to be sent; 0 without any.",
    },
    (one, found) => one.set(found.oldestPendingSeconds),
  );
  gauge({ name: "parley_mailboxes", help: "Mailboxes by state.", labelNames: ["state"] }, (one, found) => {
    for (const [state, count] of Object.entries(found.mailboxes)) one.set({ state }, count);
  });
  gauge(
    {
      name: "parley_mailbox_behind_seconds",
      help: "Time since a folder was last read to its end, by mailbox that is read by IMAP and not paused.",
      labelNames: ["mailbox"],
    },
    (one, found) => {
      for (const { mailbox, seconds } of found.behind) one.set({ mailbox: String(mailbox) }, seconds);
    },
  );
}
