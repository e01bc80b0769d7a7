import { Fault } from "../../core/errors.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import { SMALL_BYTES_MAX } from "../parse/parser.ts";

/** Of one workspace, on one node: each takes a connection of the database, and holds a whole mail in memory. */
const SMALL_AT_ONCE = 4;
const LARGE_AT_ONCE = 2;

type MailTurns = <T>(workspaceId: number, sizeBytes: number, work: () => Promise<T>) => Promise<T>;

/** Bounds how many mails of a workspace are read and stored at once. Small mails do not wait for large ones. */
export function createMailTurns(waitingPerKeyMax: number): MailTurns {
  const onFull = () => new Fault("RATE_LIMIT_EXCEEDED", "Too many mails of this workspace are being stored.");
  const small = createFairQueue({ perKey: SMALL_AT_ONCE, waitingPerKeyMax, onFull });
  const large = createFairQueue({ perKey: LARGE_AT_ONCE, waitingPerKeyMax, onFull });
  return (workspaceId, sizeBytes, work) => (sizeBytes > SMALL_BYTES_MAX ? large : small).run(workspaceId, work);
}
