// Mails as people send them, for the benchmark of mail.

const HISTORY = Array.from({ length: 40 }, (_, line) => `> line ${line} of what was written before, in a few words`);
const TEXT = "Hello,\r\n\r\nmy parcel has not arrived. The number of the order is 4711.\r\n\r\nBest regards\r\nAda";
const FILE = Buffer.alloc(30 * 1024, "a picture of the parcel ")
  .toString("base64")
  .replace(/.{76}/g, "$&\r\n");

const plain = ["Content-Type: text/plain; charset=utf-8", "", TEXT];

const withHistory = [
  'Content-Type: multipart/alternative; boundary="alt"',
  "",
  "--alt",
  "Content-Type: text/plain; charset=utf-8",
  "",
  `${TEXT}\r\n\r\nOn Mon, 13 Jul 2026 at 10:00, Shop <shop@example.com> wrote:\r\n${HISTORY.join("\r\n")}`,
  "--alt",
  "Content-Type: text/html; charset=utf-8",
  "",
  `<html><body><p>Hello,</p><p>my parcel has <b>not</b> arrived.</p><blockquote type="cite">`,
  ...HISTORY.map((line) => `<p style="color:#333;font-family:Arial">${line.slice(2)}</p>`),
  "</blockquote></body></html>",
  "--alt--",
];

const withFile = [
  'Content-Type: multipart/mixed; boundary="mix"',
  "",
  "--mix",
  ...plain,
  "--mix",
  'Content-Type: image/jpeg; name="parcel.jpg"',
  'Content-Disposition: attachment; filename="parcel.jpg"',
  "Content-Transfer-Encoding: base64",
  "",
  FILE,
  "--mix--",
];

const SHAPES = [plain, withHistory, plain, withHistory, withFile];

/** Of every five mails two are plain text, two have HTML and a quoted history, and one has a file of 30 kB. */
export const mailOf = (number, { from = `c${number % 1_000}@example.com`, subject = "My parcel" } = {}) =>
  [
    `From: Ada <${from}>`,
    "To: support@shop.example",
    `Subject: ${subject}`,
    `Message-ID: <${number}@example.com>`,
    "Date: Tue, 14 Jul 2026 10:00:00 +0200",
    "MIME-Version: 1.0",
    ...SHAPES[number % SHAPES.length],
    "",
  ].join("\r\n");
