/** A mail of headers and a body; each header is a line as it is sent. */
export function mailOf(headers: Record<string, string>, body: string | Buffer): Buffer {
  const all = {
    From: "Eva Example <eva@example.org>",
    To: "support@shop.example",
    Subject: "My parcel",
    "Message-ID": "<one@example.org>",
    Date: "Tue, 14 Jul 2026 10:00:00 +0200",
    "MIME-Version": "1.0",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
  return Buffer.concat([head, typeof body === "string" ? Buffer.from(body.replace(/\r?\n/g, "\r\n")) : body]);
}

export interface Part {
  headers: Record<string, string>;
  body: string;
}

/** Parts between delimiters, as the body of a multipart mail. */
export const partsOf = (boundary: string, parts: readonly Part[]): string =>
  [
    ...parts.map(({ headers, body }) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      return `--${boundary}\n${lines.join("\n")}\n\n${body}\n`;
    }),
    `--${boundary}--\n`,
  ].join("");

export const text = (body: string): Part => ({ headers: { "Content-Type": "text/plain; charset=utf-8" }, body });
export const html = (body: string): Part => ({ headers: { "Content-Type": "text/html; charset=utf-8" }, body });

export const file = (type: string, name: string, more: Record<string, string> = {}): Part => ({
  headers: {
    "Content-Type": `${type}; name="${name}"`,
    "Content-Disposition": `attachment; filename="${name}"`,
    "Content-Transfer-Encoding": "base64",
    ...more,
  },
  body: Buffer.from(`the bytes of ${name}`).toString("base64"),
});

export const escaped = (plain: string): string =>
  plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
