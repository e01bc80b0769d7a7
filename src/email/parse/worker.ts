import { parentPort } from "node:worker_threads";
import type { ParseResult, ParseTask } from "./mail.ts";
import { parseMail } from "./parse.ts";
import { sanitise } from "./sanitise.ts";

/** The thread in which mails are read: whatever is in one, only this thread can run out of time or memory. */
parentPort?.on("message", async (task: ParseTask) => {
  const result = await read(task).catch(
    (error: Error): ParseResult => ({ ok: false, error: error.message.slice(0, 500) }),
  );
  parentPort?.postMessage(result);
});

/** What is not asked for is not copied to the other thread. */
async function read({ raw, wants, images = false }: ParseTask): Promise<ParseResult> {
  const mail = await parseMail(raw);
  if (wants === "message") return { ok: true, mail: { ...mail, html: mail.html === null ? null : "" } };
  const html = mail.html === null ? null : sanitise(mail.html, { images });
  return { ok: true, mail: { ...mail, html, attachments: [] } };
}
