/**
 * Arrays as parameters in PostgreSQL's binary form, for statements that write large batches: node-postgres sends a Buffer
 * as it is. Its own text form has every element escaped here and parsed again there, which cost a settle more than the
 * rows that it wrote (decision 0020).
 */
const BIGINT_OID = 20;
const TEXT_OID = 25;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

export function bigintArray(values: readonly (number | null)[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + 8));
  let at = writeHeader(buffer, BIGINT_OID, values);
  for (const value of values) {
    if (value === null) {
      at = buffer.writeInt32BE(NULL_LENGTH, at);
      continue;
    }
    at = buffer.writeInt32BE(8, at);
    at = buffer.writeInt32BE(Math.floor(value / 2 ** 32), at);
    at = buffer.writeUInt32BE(value >>> 0, at);
  }
  return buffer.subarray(0, at);
}

export function textArray(values: readonly (string | null)[]): Buffer {
  let bytes = HEADER_BYTES;
  // No character of a string takes more than three bytes of UTF-8: the exact length is known once it is written.
  for (const value of values) bytes += LENGTH_BYTES + (value === null ? 0 : value.length * 3);
  const buffer = Buffer.allocUnsafe(bytes);
  let at = writeHeader(buffer, TEXT_OID, values);
  for (const value of values) {
    const written = value === null ? NULL_LENGTH : buffer.write(value, at + LENGTH_BYTES);
    buffer.writeInt32BE(written, at);
    at += LENGTH_BYTES + Math.max(0, written);
  }
  return buffer.subarray(0, at);
}

/** One dimension, counted from 1. Returns where the elements begin. */
function writeHeader(buffer: Buffer, oid: number, values: readonly unknown[]): number {
  const dimensions = values.length === 0 ? 0 : 1;
  const header = [dimensions, values.includes(null) ? 1 : 0, oid, ...(dimensions === 0 ? [] : [values.length, 1])];
  return header.reduce((at, word) => buffer.writeInt32BE(word, at), 0);
}
