/**
 * Milliseconds of the machine's monotonic clock. Unlike `performance.now()` it has the same origin in every process, and
 * unlike the time of day it is never set: a step of that during a run was measured as a latency.
 */
export const machineMs = () => Number(process.hrtime.bigint()) / 1e6;

/** The body of a message that measures its own latency when it arrives at a sink. */
export const stampedBody = (sentAt = machineMs()) => `sent-at:${Math.round(sentAt * 1_000)}`;

/** How long ago the message was sent; null if it is none of these. */
export function latencyOf(text) {
  const micros = /sent-at:(\d+)/.exec(text)?.[1];
  return micros === undefined ? null : machineMs() - Number(micros) / 1_000;
}
