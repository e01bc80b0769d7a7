import { describe, expect, it } from "vitest";
import { isAutomatic } from "../../../src/email/inbound/automatic.ts";
import { recordOf } from "../../../src/email/inbound/record.ts";
import { failuresOf } from "../../../src/email/outbound/bounce.ts";
import { bounded } from "../../../src/email/parse/bound.ts";
import { parseMail } from "../../../src/email/parse/parse.ts";
import { CHARSETS } from "./corpus/charsets.ts";
import { HISTORIES } from "./corpus/histories.ts";
import { type Expected, KINDS } from "./corpus/kinds.ts";
import { REPORTS } from "./corpus/reports.ts";
import { escaped, mailOf, partsOf, text } from "./corpus/write.ts";

const QUOTED_WORDS = "Where is my parcel?";

async function read(raw: Buffer) {
  const mail = await parseMail(raw);
  const automatic = isAutomatic(mail, { ownLists: ["support.groups.example"], isOwnMail: false });
  const found = { automatic, outsideSender: false, authentication: null, rawUrl: "", isCut: false };
  return { mail, ...recordOf({ ok: true, mail: bounded(mail) }, found) };
}

async function expectOf(raw: Buffer, expected: Expected): Promise<void> {
  const { mail, body, quoted, email } = await read(raw);
  const found: Expected = {
    subject: email.subject,
    from: email.from?.address ?? null,
    body,
    quoted: quoted !== null,
    attachments: mail.attachments.map(({ name }) => name),
    automatic: email.automatic,
  };
  expect(found).toMatchObject(expected);
  if (quoted !== null) expect(body + quoted).toBe(mail.text);
}

const HTML = { "Content-Type": "text/html; charset=utf-8" };
const folds = (reply: string) => ({ body: reply, quoted: true });

describe("of a reply in each language", () => {
  const replies = HISTORIES.flatMap(({ language, reply, attributions, outlook, phone }) => {
    const [from, sent, to, subject] = outlook;
    const block = `${from}: Ada <ada@example.com>\n${sent}: 14.07.2026 10:00\n${to}: Eva\n${subject}: Parcel`;
    return [
      ...attributions.flatMap((line) => [
        { what: `${language}: ${line}`, raw: mailOf({}, `${reply}\n\n${line}\n> ${QUOTED_WORDS}\n>\n> Ada\n`), reply },
        {
          what: `${language}, HTML: ${line}`,
          raw: mailOf(
            HTML,
            `<div>${reply}</div><br><div class="gmail_quote"><div>${escaped(line)}<br></div><blockquote>${QUOTED_WORDS}<p>Ada</p></blockquote></div>`,
          ),
          reply,
        },
        {
          what: `${language}, above a signature: ${line}`,
          raw: mailOf({}, `${reply}\n\n${line}\n\n> ${QUOTED_WORDS}\n\n-- \nEva\n`),
          reply,
        },
      ]),
      { what: `${language}: Outlook`, raw: mailOf({}, `${reply}\n\n${block}\n\n${QUOTED_WORDS}\n`), reply },
      {
        what: `${language}: Outlook, HTML`,
        raw: mailOf(
          HTML,
          `<p>${reply}</p><div><p>${block
            .split("\n")
            .map(escaped)
            .map((line) => line.replace(/^([^:]+:)/, "<b>$1</b>"))
            .join("<br>")}</p></div><p>${QUOTED_WORDS}</p>`,
        ),
        reply,
      },
      { what: `${language}: ${phone}`, raw: mailOf({}, `${reply}\n\n${phone}\n`), reply },
    ];
  });
  it.each(replies)("only what is new is the body ($what)", ({ raw, reply }) => expectOf(raw, folds(reply)));
});

describe("of a mail in each charset", () => {
  const written = CHARSETS.flatMap(({ charset, text: words, bytes }) => {
    const type = { "Content-Type": `text/plain; charset="${charset}"` };
    const subject = `=?${charset}?B?${bytes}?=`;
    const quoted = [...Buffer.from(bytes, "base64")].map(
      (byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    );
    return [
      { what: `${charset}, 8 bits`, raw: mailOf({ ...type, Subject: subject }, Buffer.from(bytes, "base64")), words },
      {
        what: `${charset}, base64`,
        raw: mailOf(
          { ...type, Subject: `=?${charset}?Q?${quoted.join("")}?=`, "Content-Transfer-Encoding": "base64" },
          bytes,
        ),
        words,
      },
      {
        what: `${charset}, quoted-printable in a part`,
        raw: mailOf(
          { "Content-Type": 'multipart/mixed; boundary="b1"', Subject: subject },
          partsOf("b1", [
            { headers: { ...type, "Content-Transfer-Encoding": "quoted-printable" }, body: quoted.join("") },
          ]),
        ),
        words,
      },
    ];
  });
  it.each(written)("subject and text are read ($what)", ({ raw, words }) =>
    expectOf(raw, { subject: words, body: words }),
  );
});

describe("of each kind of mail", () => {
  it.each(KINDS)("what is expected is found ($what)", ({ raw, expected }) => expectOf(raw, expected));
});

describe("of each server's delivery report", () => {
  it.each(REPORTS)("the failed recipient and the reason are found ($server)", async (report) => {
    const { from, subject, headers = {}, fields, returns = "message/rfc822", error } = report;
    const status = `Reporting-MTA: dns; mx.example.com\n\n${fields.join("\n")}\n`;
    const returned = "From: support@shop.example\nMessage-ID: <x@shop.example>\nSubject: Your order\n\n";
    const body = partsOf("b1", [
      text("Your message could not be delivered."),
      { headers: { "Content-Type": "message/delivery-status" }, body: status },
      { headers: { "Content-Type": returns }, body: returned },
    ]);
    const type = 'multipart/report; report-type=delivery-status; boundary="b1"';
    const { mail, email } = await read(
      mailOf({ From: from, Subject: subject, "Content-Type": type, ...headers }, body),
    );
    expect(email).toMatchObject({ subject, automatic: true });
    const [first] = failuresOf(mail).filter(({ address }) => address === "ada@example.com");
    expect(first).toEqual({ address: "ada@example.com", error });
  });
});
