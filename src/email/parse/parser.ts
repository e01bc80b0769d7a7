import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { PACKAGE_ROOT } from "../../core/package-files.ts";
import { HEAD_BYTES_MAX, type ParseResult, type ParseTask } from "./mail.ts";

const PARSE_MS_MAX = 20_000;
const MEMORY_MB_MAX = 512;
/** Compiled: a thread loads no TypeScript, wherever the rest of the code runs from. */
const WORKER = join(PACKAGE_ROOT, "dist", "email", "parse", "worker.js");

export interface MailParser {
  /** Never rejects: a mail that cannot be read is stored with the reason. */
  parse(raw: Uint8Array, wants?: ParseTask["wants"], images?: boolean): Promise<ParseResult>;
  close(): Promise<void>;
}

/** Mails up to this size are read within a second, whatever is in them. */
export const SMALL_BYTES_MAX = 1_048_576;

/** Small mails do not wait for large ones: they have a thread of their own. */
export function createMailParser(): MailParser {
  const [small, large] = [createReader(), createReader()];
  return {
    async parse(raw, wants = "message", images = false) {
      const result = await (raw.length > SMALL_BYTES_MAX ? large : small).read({ raw, wants, images });
      if (result.ok || result.mail) return result;
      // Its thread was lost: who wrote it, and in which conversation, is read by itself.
      const head = await small.read({ raw: new Uint8Array(raw.subarray(0, HEAD_BYTES_MAX)), wants: "head" });
      return { ...result, mail: head.mail };
    },
    close: async () => void (await Promise.all([small.close(), large.close()])),
  };
}

/** Reads mails one after the other, in a thread that is replaced when one takes too long or too much memory. */
function createReader() {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function readNow(task: ParseTask): Promise<ParseResult> {
    worker ??= start();
    const used = worker;
    return new Promise<ParseResult>((resolve) => {
      const timer = setTimeout(() => lose(LATE), PARSE_MS_MAX);
      const onError = (error: NodeJS.ErrnoException) =>
        lose(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? LARGE : `Reading failed: ${error.message.slice(0, 200)}`);
      const onExit = () => lose(LARGE);
      function finish(result: ParseResult): void {
        clearTimeout(timer);
        used.off("message", finish).off("error", onError).off("exit", onExit);
        resolve(result);
      }
      function lose(error: string): void {
        finish({ ok: false, error });
        discard(used);
      }
      used.on("message", finish).on("error", onError).on("exit", onExit);
      used.postMessage(task);
    });
  }

  function discard(used: Worker): void {
    if (worker === used) worker = null;
    void used.terminate();
  }

  return {
    read(task: ParseTask): Promise<ParseResult> {
      const result = last.then(() => readNow(task));
      last = result.catch(() => {});
      return result;
    },
    async close(): Promise<void> {
      await last;
      await worker?.terminate();
      worker = null;
    },
  };
}

const LATE = `Reading the mail took longer than ${PARSE_MS_MAX / 1_000} seconds.`;
const LARGE = "Reading the mail took too much memory.";

function start(): Worker {
  const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX } });
  worker.unref();
  // A thread that is terminated may still report an error, which nobody waits for.
  worker.on("error", () => {});
  return worker;
}
