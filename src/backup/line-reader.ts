import { ALTERED, BackupRefusal } from "./format.ts";

const NEWLINE = 10;
/** A row is far smaller: the largest holds a piece of a file, or one stored response. What a compressed file expands to is anything. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** Lines of a stream, without their line ends. Only the line in progress is held in memory, in the pieces it came in. */
export class LineReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  /** What came before `#rest` and belongs to the same line. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #ended = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether nothing follows, not even part of a line. */
  async isAtEnd(): Promise<boolean> {
    return (await this.next()) === null && this.#begunBytes === 0;
  }

  /** Null at the end of the stream. A last line without a line end was truncated and is not returned. */
  async next(): Promise<Buffer | null> {
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE);
      if (end >= 0) {
        const line = Buffer.concat([...this.#begun, this.#rest.subarray(0, end)]);
        this.#begun = [];
        this.#begunBytes = 0;
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      this.#begun.push(this.#rest);
      this.#begunBytes += this.#rest.length;
      this.#rest = Buffer.alloc(0);
      if (this.#begunBytes > LINE_BYTES_MAX) throw new BackupRefusal(ALTERED);
      if (this.#ended) return null;
      const { value, done } = await this.#source.next();
      if (done) this.#ended = true;
      else this.#rest = value;
    }
  }
}
