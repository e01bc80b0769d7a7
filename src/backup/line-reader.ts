const NEWLINE = 10;

/** Lines of a stream, without their line ends. Only the line in progress is held in memory. */
export class LineReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether nothing follows, not even part of a line. */
  async isAtEnd(): Promise<boolean> {
    return (await this.next()) === null && this.#rest.length === 0;
  }

  /** Null at the end of the stream. A last line without a line end was truncated and is not returned. */
  async next(): Promise<Buffer | null> {
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (this.#ended) return null;
      const { value, done } = await this.#source.next();
      if (done) this.#ended = true;
      else this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    }
  }
}
