import { Socket } from "node:net";

/**
 * Small enough that what undici does with the rest of a slice does not matter: once a response's headers overflow, its
 * parser continues to the end of the piece it was given and makes an Error with a stack for every further header. With
 * whole reads of 64 KiB one response of 2 MB of tiny headers cost 190 ms of event loop and 7 MB; in slices, 14 ms and 1 MB.
 */
const SLICE_BYTES = 512;

export class ReadMeter {
  /** What the response in progress took off the wire so far, framing included. Set to 0 when an exchange starts. */
  bytes = 0;
  rest: Buffer | null = null;
  readonly bytesMax: number;
  readonly onExcess: () => void;

  constructor(bytesMax: number, onExcess: () => void) {
    this.bytesMax = bytesMax;
    this.onExcess = onExcess;
  }
}

const METER = Symbol("parley.readMeter");
type MeteredSocket = Socket & { [METER]: ReadMeter };

/**
 * Stands between a socket and undici's parser, which takes its input by `socket.read()`: hands it on in slices, counts
 * it, and stops at the meter's limit. The count sees what no other limit does: blank lines before the status line,
 * chunk extensions, blanks around header values.
 */
export function meterReads(socket: Socket, meter: ReadMeter): void {
  (socket as MeteredSocket)[METER] = meter;
  // One function for all sockets: with a closure for each, the call cannot be inlined and every request pays.
  socket.read = meteredRead;
}

const plainRead = Socket.prototype.read;

function meteredRead(this: Socket, size?: number): Buffer | null {
  // Streams themselves call read(0) to start reading; undici calls it bare, and again until it gives null.
  if (size !== undefined) return plainRead.call(this, size);
  const meter = (this as MeteredSocket)[METER];
  let chunk = meter.rest;
  if (chunk === null) {
    chunk = plainRead.call(this) as Buffer | null;
    if (chunk === null) return null;
    meter.bytes += chunk.length;
    if (meter.bytes > meter.bytesMax) meter.onExcess();
    if (chunk.length <= SLICE_BYTES) return this.destroyed ? null : chunk;
  }
  if (this.destroyed) {
    meter.rest = null;
    return null;
  }
  meter.rest = chunk.length > SLICE_BYTES ? chunk.subarray(SLICE_BYTES) : null;
  return meter.rest === null ? chunk : chunk.subarray(0, SLICE_BYTES);
}
