import { hostname } from "node:os";
import type { SMTPServerSession } from "smtp-server";

/**
 * The headers that RFC 5321 (4.4) asks of the last server on the way. They are not part of what makes a mail the same.
 * An empty return path is how a delivery report is recognised.
 */
export function traceHeaders(session: SMTPServerSession, recipients: readonly string[]): Buffer {
  const { envelope, hostNameAppearsAs, remoteAddress, transmissionType } = session;
  const sender = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
  const lines = [
    `Return-Path: <${plain(sender)}>`,
    ...recipients.map((address) => `Delivered-To: ${plain(address)}`),
    `Received: from ${plain(hostNameAppearsAs || "unknown")} ([${plain(remoteAddress)}])`,
    `\tby ${plain(hostname())} (Parley) with ${plain(transmissionType)}; ${new Date().toUTCString().replace("GMT", "+0000")}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n`);
}

/** What a client says must not begin a header of its own. */
const plain = (text: string): string => text.replace(/[\p{Cc}<>]/gu, "").slice(0, 320);
