import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailDigest } from "../../../src/email/inbound/digest.ts";
import { EMPTY, recordOf } from "../../../src/email/inbound/record.ts";
import { bounded } from "../../../src/email/parse/bound.ts";
import { fold } from "../../../src/email/parse/fold.ts";
import { htmlToText } from "../../../src/email/parse/html-text.ts";
import { parseMail } from "../../../src/email/parse/parse.ts";
import { createMailParser, type MailParser } from "../../../src/email/parse/parser.ts";
import { sanitise } from "../../../src/email/parse/sanitise.ts";
import { atMost, scale } from "../../support/proof.ts";
import { mailOf, partsOf, text } from "./corpus/write.ts";

const MIB = 1024 * 1024;
/** Of the processor: far more than any of them takes, and far less than a trap takes that is sprung. */
const MS_MAX = 20_000;

/** What else the machine does is not counted. */
function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

let parser: MailParser;
beforeAll(() => {
  parser = createMailParser();
});
afterAll(() => parser.close());

const nested = (levels: number): string => {
  const open = Array.from(
    { length: levels },
    (_, level) => `--b${level}\nContent-Type: multipart/mixed; boundary="b${level + 1}"\n\n`,
  );
  return `${open.join("")}--b${levels}\nContent-Type: text/plain\n\ndeep\n`;
};
/** The long form has the sizes of the worst mails; the short one is enough to notice a trap. */
const SIZE = scale(1, 40);
const MANY = scale(5_000, 50_000);

const TRAPS: Record<string, () => Buffer> = {
  "10,000 parts": () =>
    mailOf(
      { "Content-Type": 'multipart/mixed; boundary="b1"' },
      partsOf(
        "b1",
        Array.from({ length: 10_000 }, () => text("part")),
      ),
    ),
  "5,000 levels": () => mailOf({ "Content-Type": 'multipart/mixed; boundary="b0"' }, nested(5_000)),
  "a header of many MiB": () => mailOf({ "X-Large": "a".repeat(SIZE * MIB) }, "text"),
  "many headers": () => Buffer.from(`${"X-Many: a\r\n".repeat(SIZE * 20_000)}\r\ntext`),
  "a header of folded lines": () => Buffer.from(`Subject: a\r\n${" b\r\n".repeat(SIZE * 20_000)}\r\ntext`),
  "an endless address list": () => mailOf({ To: "a@b.example, ".repeat(MANY) }, "text"),
  "nested groups and comments in an address": () =>
    mailOf({ From: `${"(".repeat(MANY)}a@b.example`, To: `${"a:".repeat(MANY)}` }, "text"),
  "an encoded word without its end": () => mailOf({ Subject: `=?utf-8?Q?${"=?utf-8?B?".repeat(MANY)}` }, "text"),
  "a boundary of 100,000 characters": () =>
    mailOf({ "Content-Type": `multipart/mixed; boundary="${"b".repeat(100_000)}"` }, "text"),
  "parameters without end": () => mailOf({ "Content-Type": `text/plain${"; a*0=b".repeat(MANY)}` }, "text"),
  "quotes that are never closed": () =>
    mailOf({ From: `"${"\\".repeat(100_000)}`, "Content-Type": `text/plain; name="${'\\"'.repeat(50_000)}` }, "text"),
  "an archive that would expand": () =>
    mailOf(
      { "Content-Type": 'multipart/mixed; boundary="b1"' },
      partsOf("b1", [
        text("zip"),
        {
          headers: {
            "Content-Type": "application/zip; name=bomb.zip",
            "Content-Disposition": "attachment; filename=bomb.zip",
            "Content-Transfer-Encoding": "base64",
          },
          body: Buffer.alloc(MIB).toString("base64"),
        },
      ]),
    ),
  "one line of many MiB": () => mailOf({}, "a".repeat(SIZE * MIB)),
  "HTML of tens of thousands of levels": () =>
    mailOf({ "Content-Type": "text/html" }, `${"<div><blockquote>".repeat(MANY)}deep`),
  "HTML of unclosed tags": () => mailOf({ "Content-Type": "text/html" }, "<a href='".repeat(MANY)),
  "HTML of comments": () => mailOf({ "Content-Type": "text/html" }, "<!--".repeat(MANY)),
  "styles without end": () =>
    mailOf(
      { "Content-Type": "text/html" },
      `<p style="${"color:red;".repeat(MANY)}font-family:${"a ".repeat(MANY)}!">x</p>`,
    ),
};

describe("a hostile mail", () => {
  it.each(Object.entries(TRAPS))(
    "is read or refused in time, as a message and as a view, and the next one is read (%s)",
    async (_, make) => {
      const raw = make();
      for (const wants of ["message", "view"] as const) {
        const result = await parser.parse(raw, wants, wants === "view");
        if (!result.ok) expect(result.error).not.toMatch(/Reading failed|took longer|memory/);
      }
      const next = await parser.parse(mailOf({}, "The next one."));
      expect(next.ok && next.mail.text).toBe("The next one.");
    },
  );
});

describe("a mail that takes more memory than the thread has", () => {
  it("is refused with its headers, and the next one is read", async () => {
    const flowed = { "Content-Type": "text/plain; format=flowed", Subject: "Flowing", "Message-ID": "<f@example.com>" };
    const result = await parser.parse(mailOf(flowed, " \r\n".repeat(9_000_000)));
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringMatching(/took (too much memory|longer)/),
      mail: { subject: "Flowing", messageId: "f@example.com", text: "", attachments: [] },
    });
    expect(await parser.parse(mailOf({}, "The next one."))).toMatchObject({ ok: true });
  });
});

describe("what comes from the thread", () => {
  it("is no more of a mail than is stored", async () => {
    const many = (write: (n: number) => string): string => Array.from({ length: 3_000 }, (_, n) => write(n)).join("");
    const headers = {
      To: many((n) => `t${n}@a.example,\n `),
      Cc: many((n) => `c${n}@a.example,\n `),
      "Reply-To": many((n) => `r${n}@a.example,\n `),
      "In-Reply-To": many((n) => `<i${n}@a.example>\n `),
      References: many((n) => `<r${n}@a.example>\n `),
    };
    const read = await parser.parse(mailOf(headers, `Hello\n\n${"> quoted\n".repeat(300_000)}`));
    const mail = read.ok ? read.mail : EMPTY;
    const { to, cc, replyTo, inReplyTo, references, text, quoted } = mail;
    expect([to, cc, replyTo, inReplyTo, references].map(({ length }) => length)).toEqual([1_000, 0, 0, 100, 100]);
    expect([to[0]?.address, inReplyTo[0], references.at(-1)]).toEqual([
      "t0@a.example",
      "i0@a.example",
      "r2999@a.example",
    ]);
    expect([text, quoted?.length, mail.isCut]).toEqual(["Hello", MIB - 5, true]);
  });
});

describe("the digest of a mail", () => {
  /** How often other work had its turn. */
  async function turnsDuring(work: Promise<unknown>): Promise<number> {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      if (isDone) return;
      turns++;
      setImmediate(count);
    };
    setImmediate(count);
    await work;
    isDone = true;
    return turns;
  }

  it("leaves out the headers of the way, with their continuations", async () => {
    const kept = ["Subject: a\r\n", " b\r\n", "To: c\r\n", "\r\nReceived: text\r\n"];
    const way = "Received: x\r\n by y\r\n";
    const mails = [
      kept,
      [way, ...kept],
      [kept[0], kept[1], way, way, ...kept.slice(2)],
      [...kept.slice(0, 3), way, kept[3]],
    ];
    const expected = createHash("sha256").update(kept.join("")).digest();
    for (const mail of mails) expect(await mailDigest(Buffer.from(mail.join("")))).toEqual(expected);
    expect(await mailDigest(Buffer.from(way))).toEqual(createHash("sha256").digest());
  });

  it("lets others have their turn, whatever the mail consists of", async () => {
    const lines = await turnsDuring(mailDigest(Buffer.from("X-Many: a\r\nReceived: b\r\n".repeat(50_000))));
    expect(lines).toBeGreaterThan(50);
    expect(await turnsDuring(mailDigest(Buffer.alloc(8 * MIB, "\r\n")))).toBeGreaterThan(0);
  });
});

describe("a small mail", () => {
  it.each([
    ["parts without headers", () => mailOf({ "Content-Type": "multipart/mixed; boundary=b" }, "--b\n".repeat(200_000))],
    [
      "parts with other headers",
      () => mailOf({ "Content-Type": 'multipart/mixed; boundary="b c"' }, "--b c\nX: y\n\nz\n".repeat(80_000)),
    ],
    [
      "a text of empty lines",
      () => mailOf({ "Content-Type": "text/plain; format=flowed" }, `deep${"\n".repeat(1_000_000)}`),
    ],
    [
      "HTML of a hundred thousand levels",
      () => mailOf({ "Content-Type": "text/html" }, `${"<blockquote>".repeat(85_000)}deep`),
    ],
  ])("is read or refused within the time of one, whatever is in it (%s)", async (_, make) => {
    const begunAt = spentMs();
    for (const wants of ["message", "view"] as const) {
      const result = await parser.parse(make(), wants);
      if (result.ok) expect(result.mail.text).toBe("deep");
      else expect(result.error).toBe("The mail has more than 1000 parts.");
    }
    expect(spentMs() - begunAt).toBeLessThan(atMost(4_000));
  });
});

describe("a large mail", () => {
  it("keeps no ordinary mail waiting, neither when it is stored nor when it is shown", async () => {
    const large = mailOf({ "Content-Type": "text/html" }, "<a href='https://x.example/'>x</a>".repeat(200_000));
    for (const wants of ["message", "view"] as const) {
      let isRead = false;
      const slow = parser.parse(large, wants).then(() => {
        isRead = true;
      });
      let ordinary = 0;
      // Over one thread, one or two are read before the large one.
      for (; !isRead && ordinary < 20; ordinary++) await parser.parse(mailOf({}, "An ordinary one."));
      expect([ordinary, isRead]).toEqual([20, false]);
      await slow;
    }
  });
});

describe("the folding of a text", () => {
  const LINES = [
    "On ",
    "> ",
    ">",
    "From: ",
    "Am 1 schrieb ",
    "a <a@b",
    "-- ",
    "_".repeat(500),
    "Sent: ",
    "----- Original Message ",
    "1".repeat(500),
    " ".repeat(500),
  ];
  it.each(LINES)("takes no longer for a text made to be slow (%j)", (line) => {
    const begunAt = spentMs();
    const repeated = [`${line}\n`, line, `${line}\n\n`, `${line}\n> a\n`].map((one) => one.repeat(9_500));
    for (const made of [...repeated.flatMap((text) => [text, `${text}x`]), `${line.repeat(20)}\n`.repeat(200)]) {
      const { body, quoted } = fold(made);
      expect(body + (quoted ?? "")).toBe(made);
    }
    expect(spentMs() - begunAt).toBeLessThan(MS_MAX);
  });
});

describe("what is cut and trimmed", () => {
  const MANY_CHARS = 340_000;
  it("takes no longer for characters that a pattern would try again and again", async () => {
    const begunAt = spentMs();
    const text = `a${"\n".repeat(MANY_CHARS)}b${" ".repeat(MANY_CHARS)}c`;
    expect((await parseMail(mailOf({}, text))).text).toBe(text);
    const found = { automatic: false, outsideSender: false, authentication: null, rawUrl: "", isCut: false };
    const replaced = `${"\ufffd".repeat(MANY_CHARS)}${"x".repeat(MIB)}`;
    const { body, email } = recordOf({ ok: true, mail: bounded({ ...EMPTY, text: replaced }) }, found);
    expect([Buffer.byteLength(body), email.truncated]).toEqual([MIB, true]);
    const cut = recordOf({ ok: true, mail: bounded({ ...EMPTY, text: `a${"é".repeat(MIB)}` }) }, found);
    expect(cut.body).toBe(`a${"é".repeat(MIB / 2 - 1)}`);
    const picture = `<p>before</p><img src="data:image/png;base64,${" ".repeat(MANY_CHARS)}!">`;
    expect(sanitise(picture)).toBe("<p>before</p><img />");
    await expect(parseMail(mailOf({}, "\n--a".repeat(MANY_CHARS)))).resolves.toMatchObject({ attachments: [] });
    expect(spentMs() - begunAt).toBeLessThan(MS_MAX);
  });
});

describe("the HTML of a mail", () => {
  it("becomes a text in a time that does not grow with the square of a line", () => {
    const begunAt = spentMs();
    expect(htmlToText("<b>x </b> ".repeat(200_000))).toBe("x ".repeat(200_000).trim());
    expect(spentMs() - begunAt).toBeLessThan(atMost(2_000));
  });

  const VECTORS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href=" &#14; javascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:x">x</a>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
    '<form action="https://evil.example"><input name=password><button formaction="javascript:alert(1)">x</button></form>',
    '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
    '<base href="https://evil.example/"><link rel=stylesheet href="https://evil.example/a.css">',
    '<div style="position:fixed;top:0;left:0;width:100%;height:100%;z-index:9">cover</div>',
    '<div style="background:url(javascript:alert(1));behavior:url(x);-moz-binding:url(x);expression(alert(1))">x</div>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    "<template><img src=x onerror=alert(1)></template>",
    "<textarea><img src=x onerror=alert(1)></textarea><title><img src=x onerror=alert(1)></title>",
    "<p id=a name=b class=c data-x=1 onclick=alert(1) onmouseover=alert(1)>x</p>",
    '<![CDATA[<img src=x onerror=alert(1)>]]><?xml version=1?><!DOCTYPE x [<!ENTITY a "b">]>',
    '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
    '<IMG SRC=`javascript:alert(1)`><img src="jav&#x0A;ascript:alert(1)">',
    "<<script>alert(1)//<</script><scr<script>ipt>alert(1)</script>",
    "<style>@import 'https://evil.example/a.css';</style><style><!--</style><img src=x onerror=alert(1)>-->",
    "<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)></audio><details open ontoggle=alert(1)>x</details>",
    "<marquee onstart=alert(1)>x</marquee><body onload=alert(1)><frameset onload=alert(1)>",
    '<a href="https://evil.example" target=_self ping="https://evil.example" download>x</a>',
    "<xmp><img src=x onerror=alert(1)></xmp><plaintext><img src=x onerror=alert(1)>",
  ];
  it.each(VECTORS)("neither runs, loads nor covers anything (%s)", (vector) => {
    for (const images of [false, true]) {
      const shown = sanitise(`<p>before</p>${vector}`, { images });
      expect(shown).toContain("before");
      // A title may hold any text.
      const tags = (shown.match(/<[^>]*>/g)?.join("") ?? "").replace(/ title="[^"]*"/g, "");
      expect(tags).not.toMatch(
        /<\/?(script|svg|math|iframe|object|embed|form|input|button|meta|base|link|style|video|audio|template|textarea|body|frame)/i,
      );
      expect(tags).not.toMatch(
        /\son\w+\s*=|javascript:|vbscript:|data:text|svg\+xml|position|z-index|url\(|expression|\s(id|name|class|ping|download|srcdoc)=/i,
      );
    }
    expect(htmlToText(vector)).not.toContain("<style");
  });
});
