import { createFairQueue } from "../../core/fair-queue.ts";

/** What the mails that are being received may take of memory together, and one address of connections. */
interface ReceiverBounds {
  heldBytesMax: number;
  connectionsPerAddressMax: number;
}

interface Holding {
  /** False: there is no room for these bytes. */
  add(bytes: number): boolean;
  release(): void;
}

export interface BoundKeeper {
  /** Returns what is called at the end of the connection; null: the address has as many as it may have. */
  enter(address: string): (() => void) | null;
  hold(): Holding;
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

export function createBoundKeeper({ heldBytesMax, connectionsPerAddressMax }: ReceiverBounds): BoundKeeper {
  const connections = createFairQueue({ perKey: connectionsPerAddressMax });
  let heldBytes = 0;
  return {
    // A mail server on this machine passes on the mail of everybody.
    enter: (address) => (LOOPBACK.test(address) ? () => {} : connections.enterNow(address)),
    hold() {
      let own = 0;
      return {
        add(bytes) {
          if (heldBytes + bytes > heldBytesMax) return false;
          own += bytes;
          heldBytes += bytes;
          return true;
        },
        release() {
          heldBytes -= own;
          own = 0;
        },
      };
    },
  };
}
