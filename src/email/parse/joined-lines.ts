type Piece = string | Uint8Array | ArrayBuffer;

/**
 * Stands in for `Blob` in the thread of the parser, which joins the lines of each part by one: Node takes 5 to 20 µs for
 * each of its pieces, so that a megabyte of empty lines took 12 s.
 */
export class JoinedLines {
  readonly #pieces: readonly Uint8Array[];

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces.map(bytesOf);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const joined = new Uint8Array(this.#pieces.reduce((sum, { length }) => sum + length, 0));
    let position = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, position);
      position += piece.length;
    }
    return joined.buffer;
  }
}

const NEWLINE = Buffer.from("\n");

function bytesOf(piece: Piece): Uint8Array {
  if (piece === "\n") return NEWLINE;
  if (typeof piece === "string") return Buffer.from(piece);
  return piece instanceof Uint8Array ? piece : new Uint8Array(piece);
}
