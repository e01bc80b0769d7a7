import { file, html, mailOf, type Part, partsOf, text } from "./write.ts";

/** What is expected of a mail; what is left out is not looked at. */
export interface Expected {
  subject?: string | null;
  from?: string | null;
  body?: string;
  quoted?: boolean;
  attachments?: string[];
  automatic?: boolean;
}

interface Kind {
  what: string;
  raw: Buffer;
  expected: Expected;
}

const multipart = (type: string, parts: readonly Part[], headers: Record<string, string> = {}): Buffer =>
  mailOf({ "Content-Type": `multipart/${type}; boundary="b1"`, ...headers }, partsOf("b1", parts));
const plain = (headers: Record<string, string>, body = "Hello"): Buffer => mailOf(headers, body);

const AUTOMATIC: Record<string, Record<string, string>> = {
  "a vacation notice": { "Auto-Submitted": "auto-replied (vacation)" },
  "a notification": { "Auto-Submitted": "auto-generated" },
  "a newsletter": { "List-Unsubscribe": "<https://news.example/u>", Precedence: "bulk" },
  "a mailing list": { "List-Id": "Gardeners <garden.lists.example>", "List-Post": "<mailto:garden@lists.example>" },
  "mail marked as a list": { Precedence: "list" },
  "junk by its own words": { Precedence: "junk" },
  "an automatic reply of an old program": { Precedence: "auto_reply" },
  "mail of Exchange that wants no reply": { "X-Auto-Response-Suppress": "OOF, AutoReply" },
  "mail with an empty return path": { "Return-Path": "<>" },
  "mail of the mailer daemon": { From: "Mail Delivery <MAILER-DAEMON@example.org>" },
  "mail of a postmaster": { From: "Postmaster <postmaster@example.org>" },
};
const BY_PEOPLE: Record<string, Record<string, string>> = {
  "mail of a person": {},
  "mail that says that it is not automatic": { "Auto-Submitted": "no" },
  "urgent mail": { Precedence: "first-class" },
  "mail with a return path": { "Return-Path": "<eva@example.org>" },
  "mail of a group that this mailbox is in": { "List-Id": "<support.groups.example>", Precedence: "list" },
};

export const KINDS: readonly Kind[] = [
  ...Object.entries(AUTOMATIC).map(([what, headers]) => ({ what, raw: plain(headers), expected: { automatic: true } })),
  ...Object.entries(BY_PEOPLE).map(([what, headers]) => ({
    what,
    raw: plain(headers),
    expected: { automatic: false },
  })),
  {
    what: "a calendar invitation",
    raw: multipart("mixed", [
      {
        headers: { "Content-Type": 'multipart/alternative; boundary="b2"' },
        body: partsOf("b2", [
          text("Meeting at ten."),
          html("<p>Meeting at ten.</p>"),
          {
            headers: { "Content-Type": "text/calendar; charset=utf-8; method=REQUEST" },
            body: "BEGIN:VCALENDAR\nEND:VCALENDAR",
          },
        ]),
      },
      file("application/ics", "invite.ics"),
    ]),
    expected: { body: "Meeting at ten.", attachments: ["invite.ics", "invite.ics"] },
  },
  {
    what: "an invitation that is nothing but a calendar",
    raw: mailOf({ "Content-Type": "text/calendar; charset=utf-8; method=REQUEST" }, "BEGIN:VCALENDAR\nEND:VCALENDAR"),
    expected: { body: "", attachments: ["invite.ics"] },
  },
  {
    what: "winmail.dat",
    raw: multipart("mixed", [text("See the file."), file("application/ms-tnef", "winmail.dat")]),
    expected: { body: "See the file.", attachments: ["winmail.dat"] },
  },
  {
    what: "a signed mail (S/MIME)",
    raw: multipart("signed", [text("Signed."), file("application/pkcs7-signature", "smime.p7s")]),
    expected: { body: "Signed.", attachments: ["smime.p7s"] },
  },
  {
    what: "a signed mail (PGP)",
    raw: multipart("signed", [
      text("Signed."),
      {
        headers: { "Content-Type": "application/pgp-signature" },
        body: "-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----",
      },
    ]),
    expected: { body: "Signed.", attachments: ["attachment"] },
  },
  {
    what: "a forwarded mail as an attachment",
    raw: multipart("mixed", [
      text("See below."),
      { headers: { "Content-Type": "message/rfc822" }, body: "From: other@example.net\nSubject: Inner\n\nInner text" },
    ]),
    expected: { subject: "My parcel", body: "See below.", attachments: ["message.eml"] },
  },
  {
    what: "HTML without a text",
    raw: mailOf(
      { "Content-Type": "text/html; charset=utf-8" },
      "<style>p{}</style><p>Hello &amp; <b>welcome</b></p><ul><li>one<li>two</ul>",
    ),
    expected: { body: "Hello & welcome\n\n- one\n- two" },
  },
  {
    what: "a text that is only white space next to HTML",
    raw: multipart("alternative", [text("  \n"), html("<p>Here.</p>")]),
    expected: { body: "Here." },
  },
  {
    what: "an attachment whose name is encoded (RFC 2231)",
    raw: multipart("mixed", [
      text("a"),
      {
        headers: {
          "Content-Type": "application/pdf",
          "Content-Disposition": "attachment; filename*0*=UTF-8''%C3%BC; filename*1*=ber.pdf",
          "Content-Transfer-Encoding": "base64",
        },
        body: "AAAA",
      },
    ]),
    expected: { attachments: ["über.pdf"] },
  },
  {
    what: "an attachment whose name is encoded (RFC 2047)",
    raw: multipart("mixed", [text("a"), file("application/pdf", "=?utf-8?Q?=C3=BCber=2Epdf?=")]),
    expected: { attachments: ["über.pdf"] },
  },
  {
    what: "an attachment whose name is a path",
    raw: multipart("mixed", [text("a"), file("text/plain", "../../etc/passwd")]),
    expected: { attachments: [".._.._etc_passwd"] },
  },
  {
    what: "a name that hides its extension",
    raw: multipart("mixed", [text("a"), file("application/octet-stream", "gpj.\u202eexe")]),
    expected: { attachments: ["gpj._exe"] },
  },
  {
    what: "quoted-printable with soft line breaks",
    raw: mailOf(
      { "Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "quoted-printable" },
      "Gr=C3=BC=\n=C3=9Fe=20",
    ),
    expected: { body: "Grüße " },
  },
  {
    what: "format=flowed",
    raw: mailOf({ "Content-Type": "text/plain; charset=utf-8; format=flowed" }, "one \ntwo\n"),
    expected: { body: "one two" },
  },
  {
    what: "a subject in two encoded words that split a character's neighbours",
    raw: plain({ Subject: "=?UTF-8?B?R3LDvMOf?=\r\n =?UTF-8?B?ZSBhdXMgS8O2bG4=?=" }),
    expected: { subject: "Grüße aus Köln" },
  },
  { what: "a folded subject", raw: plain({ Subject: "One\r\n two" }), expected: { subject: "One two" } },
  {
    what: "a name in an encoded word",
    raw: plain({ From: "=?iso-8859-1?Q?J=FCrgen?= <j@example.org>" }),
    expected: { from: "j@example.org" },
  },
  {
    what: "a name with a comma",
    raw: plain({ From: '"Example, Eva" <e2@example.org>' }),
    expected: { from: "e2@example.org" },
  },
  { what: "a bare address", raw: plain({ From: "bare@example.org" }), expected: { from: "bare@example.org" } },
  { what: "no sender", raw: plain({ From: "" }), expected: { from: null, body: "Hello" } },
  { what: "no subject", raw: plain({ Subject: "" }), expected: { subject: null } },
  { what: "no Message-ID and no date", raw: plain({ "Message-ID": "", Date: "" }), expected: { body: "Hello" } },
  { what: "a date that is none", raw: plain({ Date: "yesterday" }), expected: { body: "Hello" } },
  {
    what: "an unknown charset",
    raw: mailOf({ "Content-Type": "text/plain; charset=x-unknown-99" }, "plain ascii"),
    expected: { body: "plain ascii" },
  },
  {
    what: "an unknown transfer encoding",
    raw: mailOf({ "Content-Transfer-Encoding": "x-nothing" }, "as it is"),
    expected: { body: "as it is" },
  },
  {
    what: "base64 that is cut off",
    raw: mailOf({ "Content-Transfer-Encoding": "base64", "Content-Type": "text/plain" }, "SGVsbG8gd29ybGQ"),
    expected: { body: "Hello world" },
  },
  {
    what: "a multipart without its end",
    raw: mailOf({ "Content-Type": 'multipart/mixed; boundary="b1"' }, "--b1\nContent-Type: text/plain\n\nNo end"),
    expected: { body: "No end" },
  },
  {
    what: "a multipart without a boundary",
    raw: mailOf({ "Content-Type": "multipart/mixed" }, "Just text"),
    expected: { subject: "My parcel" },
  },
  {
    what: "a multipart whose delimiter never comes",
    raw: mailOf({ "Content-Type": 'multipart/mixed; boundary="never"' }, "Just text"),
    expected: { subject: "My parcel" },
  },
  {
    what: "lines that end with LF alone",
    raw: Buffer.from("From: eva@example.org\nSubject: LF\n\nline one\nline two\n"),
    expected: { subject: "LF", from: "eva@example.org", body: "line one\nline two" },
  },
  {
    what: "headers and nothing else",
    raw: Buffer.from("From: eva@example.org\r\nSubject: Empty"),
    expected: { subject: "Empty", body: "" },
  },
  { what: "no headers at all", raw: Buffer.from("\r\nonly a text\r\n"), expected: { body: "only a text", from: null } },
  { what: "no bytes at all", raw: Buffer.alloc(0), expected: { body: "", from: null } },
  {
    what: "a header without a colon",
    raw: Buffer.from("From: eva@example.org\r\nNonsense\r\nSubject: Still\r\n\r\nHello"),
    expected: { subject: "Still" },
  },
  { what: "zeros within the text", raw: mailOf({}, "a\0b"), expected: { body: "a\ufffdb" } },
  { what: "a signature", raw: mailOf({}, "Hello\n\n-- \nEva\nExample Ltd"), expected: { body: "Hello", quoted: true } },
  {
    what: "dashes that are no signature",
    raw: mailOf({}, "one\n---\ntwo"),
    expected: { body: "one\n---\ntwo", quoted: false },
  },
  {
    what: "replies between quotes, which are not folded",
    raw: mailOf({}, "> one?\nYes.\n> two?\nNo."),
    expected: { body: "> one?\nYes.\n> two?\nNo.", quoted: false },
  },
  {
    what: "a mail that is nothing but a quote, which is not folded",
    raw: mailOf({}, "> one\n> two"),
    expected: { body: "> one\n> two", quoted: false },
  },
  {
    what: "a reply below the quote, which is not folded away",
    raw: mailOf({}, "On Tue, Jul 14, 2026 at 10:00 AM Ada <ada@example.com> wrote:\n> one\n\nBelow."),
    expected: { quoted: false },
  },
];
