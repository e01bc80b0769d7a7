import type { SmtpSession } from "./smtp.ts";

/**
 * The mail server of the demo: it accepts everything and passes nothing on. So a reply in the demo is sent without a mail
 * server, and reaches nobody, whatever mail server the installation has.
 */
export const openLoopback = (): SmtpSession => ({
  mail: async () => {},
  recipient: async () => null,
  data: async () => ({ outcome: "accepted" }),
  reset: async () => {},
  quit: async () => {},
  destroy: () => {},
});
