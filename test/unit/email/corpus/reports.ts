/** Delivery reports as mail servers write them: what differs is the order, the names and what is left out. */
interface ReportOf {
  server: string;
  from: string;
  subject: string;
  headers?: Record<string, string>;
  /** The fields of the recipient in the part for programs. */
  fields: string[];
  /** Whether what it returns is the mail or only its headers. */
  returns?: "message/rfc822" | "text/rfc822-headers";
  error: string;
}

const FAILED = "Action: failed";
const TO = "Final-Recipient: rfc822; ada@example.com";

export const REPORTS: readonly ReportOf[] = [
  {
    server: "Postfix",
    from: "MAILER-DAEMON@mx.example.com (Mail Delivery System)",
    subject: "Undelivered Mail Returned to Sender",
    headers: { "Auto-Submitted": "auto-replied" },
    fields: [
      TO,
      "Original-Recipient: rfc822;ada@example.com",
      FAILED,
      "Status: 5.1.1",
      "Remote-MTA: dns; mx.example.com",
      "Diagnostic-Code: smtp; 550 5.1.1 User unknown",
    ],
    error: "550 5.1.1 User unknown",
  },
  {
    server: "Exim",
    from: "Mail Delivery System <Mailer-Daemon@host.example>",
    subject: "Mail delivery failed: returning message to sender",
    headers: { "X-Failed-Recipients": "ada@example.com" },
    fields: [
      FAILED,
      "Final-Recipient: rfc822;ada@example.com",
      "Status: 5.0.0",
      "Remote-MTA: dns; mx.example.com",
      "Diagnostic-Code: smtp; 550 No such recipient here",
    ],
    error: "550 No such recipient here",
  },
  {
    server: "Sendmail",
    from: "Mail Delivery Subsystem <MAILER-DAEMON@host.example>",
    subject: "Returned mail: see transcript for details",
    fields: [
      "Final-Recipient: RFC822; ada@example.com",
      "Action: failed",
      "Status: 5.1.1",
      "Diagnostic-Code: SMTP; 550 5.1.1 <ada@example.com>... User unknown",
      "Last-Attempt-Date: Tue, 14 Jul 2026 10:00:00 +0200",
    ],
    error: "550 5.1.1 <ada@example.com>... User unknown",
  },
  {
    server: "Gmail",
    from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    subject: "Delivery Status Notification (Failure)",
    headers: { "Auto-Submitted": "auto-replied" },
    fields: [
      TO,
      FAILED,
      "Status: 5.1.1",
      "Remote-MTA: dns; gmail-smtp-in.l.google.com. (2a00::1, the server for the domain.)",
      "Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.",
      " 550 5.1.1 Please try double-checking",
    ],
    error: "550-5.1.1 The email account that you tried to reach does not exist. 550 5.1.1 Please try double-checking",
  },
  {
    server: "Microsoft 365",
    from: "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.onmicrosoft.com>",
    subject: "Undeliverable: Your order",
    fields: [
      "Final-Recipient: rfc822;ada@example.com",
      FAILED,
      "Status: 5.1.10",
      "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found",
      "X-Display-Name: ada@example.com",
    ],
    error: "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found",
  },
  {
    server: "Exchange on one's own server",
    from: "postmaster@corp.example",
    subject: "Undeliverable: Your order",
    fields: [
      "Original-Recipient: rfc822;ada@example.com",
      "Final-Recipient: rfc822;ada@example.com",
      FAILED,
      "Status: 5.7.1",
      "Diagnostic-Code: smtp;550 5.7.1 RESOLVER.RST.AuthRequired; authentication required",
    ],
    error: "550 5.7.1 RESOLVER.RST.AuthRequired; authentication required",
  },
  {
    server: "Amazon SES",
    from: "MAILER-DAEMON@eu-west-1.amazonses.com",
    subject: "Delivery Status Notification (Failure)",
    fields: [TO, FAILED, "Diagnostic-Code: smtp; 550 5.1.1 user unknown", "Status: 5.1.1"],
    returns: "text/rfc822-headers",
    error: "550 5.1.1 user unknown",
  },
  {
    server: "Yahoo",
    from: "MAILER-DAEMON@yahoo.com",
    subject: "Failure Notice",
    fields: [
      TO,
      FAILED,
      "Status: 5.0.0",
      "Diagnostic-Code: smtp; 554 30 Sorry, your message to ada@example.com cannot be delivered. This mailbox is disabled (554.30).",
    ],
    error: "554 30 Sorry, your message to ada@example.com cannot be delivered. This mailbox is disabled (554.30).",
  },
  {
    server: "iCloud",
    from: "postmaster@icloud.com",
    subject: "Delivery Notification: Delivery has failed",
    fields: [
      "Original-recipient: rfc822;ada@example.com",
      "Final-recipient: rfc822;ada@example.com",
      "Action: failed",
      "Status: 5.2.2 (over quota)",
      "Diagnostic-code: smtp;552 5.2.2 user is over quota",
    ],
    error: "552 5.2.2 user is over quota",
  },
  {
    server: "OpenSMTPD",
    from: "Mailer Daemon <MAILER-DAEMON@host.example>",
    subject: "Delivery status notification: error",
    fields: [TO, "Action: failed", "Status: 5.0.0"],
    error: "5.0.0",
  },
  {
    server: "Courier",
    from: '"Courier mail server at host" <@>',
    subject: "NOTICE: mail delivery status.",
    headers: { "Return-Path": "<>" },
    fields: [
      FAILED,
      "Final-Recipient: rfc822; ada@example.com",
      "Status: 5.0.0",
      'Diagnostic-Code: smtp; 550 "User unknown"',
    ],
    error: '550 "User unknown"',
  },
  {
    server: "MDaemon",
    from: "MDaemon at host.example <MDaemon@host.example>",
    subject: "Permanent Delivery Failure",
    fields: [TO, FAILED, "Status: 5.1.1"],
    error: "5.1.1",
  },
  {
    server: "Lotus Domino",
    from: "Postmaster@domino.example",
    subject: "DELIVERY FAILURE: User ada (ada@example.com) not listed in Domino Directory",
    fields: [
      "Final-Recipient: rfc822;ada@example.com",
      "Action: failed",
      "Status: 5.1.1",
      "Diagnostic-Code: X-Notes; User ada (ada@example.com) not listed in Domino Directory",
    ],
    error: "User ada (ada@example.com) not listed in Domino Directory",
  },
  {
    server: "GroupWise",
    from: "Mailer-Daemon@gw.example",
    subject: "Message status - undeliverable",
    fields: [TO, FAILED, "Status: 5.0.0 (user not found)"],
    error: "5.0.0 (user not found)",
  },
  {
    server: "Zimbra",
    from: "MAILER-DAEMON@zimbra.example",
    subject: "Undelivered Mail Returned to Sender",
    fields: [
      "Final-Recipient: rfc822; ADA@EXAMPLE.COM",
      FAILED,
      "Status: 5.4.4",
      "Diagnostic-Code: X-Postfix; Host or domain name not found.",
    ],
    error: "Host or domain name not found.",
  },
  {
    server: "Mimecast",
    from: "postmaster@mimecast.example",
    subject: "[Postmaster] Email Delivery Failure",
    fields: [TO, FAILED, "Status: 5.1.1", "Diagnostic-Code: smtp; 550 Invalid Recipient"],
    error: "550 Invalid Recipient",
  },
  {
    server: "Proofpoint",
    from: "Mail Delivery Subsystem <MAILER-DAEMON@pphosted.example>",
    subject: "Returned mail: see transcript for details",
    fields: [TO, FAILED, "Status: 5.7.1", "Diagnostic-Code: SMTP; 554 5.7.1 rejected by policy"],
    returns: "text/rfc822-headers",
    error: "554 5.7.1 rejected by policy",
  },
  {
    server: "Haraka",
    from: "MAILER-DAEMON@haraka.example",
    subject: "failure notice",
    fields: [TO, "Action: failed", "Status: 5.1.1", "Diagnostic-Code: smtp;550 5.1.1 unknown"],
    error: "550 5.1.1 unknown",
  },
  {
    server: "Stalwart",
    from: "Mail Delivery Subsystem <MAILER-DAEMON@stalwart.example>",
    subject: "Failed to deliver message",
    headers: { "Auto-Submitted": "auto-generated" },
    fields: [
      "Final-Recipient: rfc822;<ada@example.com>",
      FAILED,
      "Status: 5.1.2",
      "Diagnostic-Code: smtp;550 5.1.2 not found",
    ],
    error: "550 5.1.2 not found",
  },
  {
    server: "Axigen, with an address in UTF-8",
    from: "mailer-daemon@axigen.example",
    subject: "Mail delivery failure",
    fields: ["Final-Recipient: utf-8; ada@example.com", FAILED, "Status: 5.6.7", "Diagnostic-Code: smtp; 550 5.6.7 no"],
    error: "550 5.6.7 no",
  },
];
