import { parentPort } from "node:worker_threads";
import { bounded } from "./bound.ts";
import { JoinedLines } from "./joined-lines.ts";
import type { ParsedMail, ParseResult, ParseTask } from "./mail.ts";
import { parseHead, parseMail } from "./parse.ts";
import { sanitise } from "./sanitise.ts";

globalThis.Blob = JoinedLines as unknown as typeof Blob;

/** The thread in which mails are read: whatever is in one, only this thread can run out of time or memory. */
parentPort?.on("message", async (task: ParseTask) => {
  const result = await read(task).catch(
    async (error: Error): Promise<ParseResult> => ({
      ok: false,
      error: error.message.slice(0, 500),
      mail: await parseHead(task.raw).then(bounded, () => undefined),
    }),
  );
  parentPort?.postMessage(result);
});

/** What is not asked for is not copied to the other thread. */
async function read({ raw, wants, images = false }: ParseTask): Promise<ParseResult> {
  if (wants === "head") return { ok: true, mail: bounded(await parseHead(raw)) };
  const mail = await parseMail(raw);
  if (!isMail(mail)) throw new Error("It has neither headers nor a text that can be read.");
  if (wants === "message") return { ok: true, mail: { ...bounded(mail), html: mail.html === null ? null : "" } };
  const html = mail.html === null ? null : sanitise(mail.html, { images });
  return { ok: true, mail: { ...bounded(mail), text: mail.text, html, attachments: [] } };
}

/** Any bytes can be taken for a mail: those of a picture, too. */
const isMail = ({ from, to, subject, date, messageId, text, html, attachments }: ParsedMail): boolean =>
  from !== null ||
  to.length > 0 ||
  subject !== null ||
  date !== null ||
  messageId !== null ||
  text.trim() !== "" ||
  html !== null ||
  attachments.length > 0;
