import { createHash, createPrivateKey, sign } from "node:crypto";

export interface DkimKey {
  domain: string;
  selector: string;
  /** PEM, RSA or Ed25519. */
  privateKey: string;
}

/** Signed where they occur. From must be (RFC 6376, 5.4). */
const SIGNED = [
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "in-reply-to",
  "references",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "auto-submitted",
];

/**
 * The mail with a DKIM-Signature (RFC 6376, relaxed/relaxed) above its headers. Own code, because nodemailer signs with
 * RSA only, and mailboxes may have Ed25519 keys (RFC 8463).
 */
export function signMail(raw: Buffer, { domain, selector, privateKey }: DkimKey): Buffer {
  const text = raw.toString("latin1");
  const split = text.indexOf("\r\n\r\n");
  const headers = headersOf(text.slice(0, split));
  const names = SIGNED.filter((name) => headers.has(name));
  const key = createPrivateKey(privateKey);
  const isEd25519 = key.asymmetricKeyType === "ed25519";
  const tags = [
    "v=1",
    `a=${isEd25519 ? "ed25519" : "rsa"}-sha256`,
    "c=relaxed/relaxed",
    `d=${domain}`,
    `s=${selector}`,
    `h=${names.join(":")}`,
    `bh=${createHash("sha256")
      .update(relaxedBody(text.slice(split + 4)), "latin1")
      .digest("base64")}`,
    "b=",
  ];
  const unsigned = `DKIM-Signature: ${tags.join(";\r\n ")}`;
  const signed = [...names.map((name) => relaxedHeader(headers.get(name) ?? "")), relaxedHeader(unsigned)].join("\r\n");
  // Ed25519 signs the digest of the headers, RSA signs by way of it.
  const signature = isEd25519
    ? sign(null, createHash("sha256").update(signed, "latin1").digest(), key)
    : sign("sha256", Buffer.from(signed, "latin1"), key);
  const folded = signature.toString("base64").replace(/.{70}(?=.)/g, "$&\r\n ");
  return Buffer.concat([Buffer.from(`${unsigned}${folded}\r\n`, "latin1"), raw]);
}

/** The last of each name, as a signature counts them from the bottom. */
function headersOf(head: string): Map<string, string> {
  const lines = head.replace(/\r\n([ \t])/g, "\u0000$1").split("\r\n");
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).trim().toLowerCase(), line.replaceAll("\u0000", "\r\n")]),
  );
}

function relaxedHeader(header: string): string {
  const colon = header.indexOf(":");
  const value = header
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .trim();
  return `${header.slice(0, colon).trim().toLowerCase()}:${value}`;
}

const relaxedBody = (body: string): string => {
  const lines = body
    .split("\r\n")
    .map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""))
    .join("\r\n")
    .replace(/(\r\n)+$/, "");
  return lines === "" ? "" : `${lines}\r\n`;
};
