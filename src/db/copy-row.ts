import { finished } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { Database } from "./database.ts";
import { asFault } from "./errors.ts";

/** The binary form of COPY: https://www.postgresql.org/docs/current/sql-copy.html */
const HEADER = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const TRAILER = Buffer.from([0xff, 0xff]);

/**
 * Stores one row whose last value is large: a statement of its own, which commits by itself. The bytes go from this very
 * buffer to the socket, and the buffer may be filled again once this has returned. As a parameter of a statement the driver
 * would copy them twice, and what it copied would stay in memory until the next garbage collection.
 */
export async function copyRow(db: Database, into: string, fields: readonly Buffer[], large: Buffer): Promise<void> {
  const client = await db.pool.connect().catch((error) => {
    throw asFault(error);
  });
  let broken: Error | undefined;
  try {
    const rows = client.query(copyFrom(`copy ${into} from stdin (format binary)`));
    const ended = finished(rows);
    rows.write(headOf(fields, large.length));
    rows.write(large);
    rows.end(TRAILER);
    await ended;
  } catch (error) {
    broken = error as Error;
    throw asFault(error);
  } finally {
    client.release(broken);
  }
}

function headOf(fields: readonly Buffer[], largeLength: number): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length + 1);
  return Buffer.concat([HEADER, count, ...fields.flatMap((field) => [int4(field.length), field]), int4(largeLength)]);
}

export function int4(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

export function int8(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(BigInt(value));
  return buffer;
}
