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
  /** False: the address has as many connections as it may have. */
  enter(address: string): boolean;
  leave(address: string): void;
  hold(): Holding;
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

export function createBoundKeeper({ heldBytesMax, connectionsPerAddressMax }: ReceiverBounds): BoundKeeper {
  const connections = new Map<string, number>();
  let heldBytes = 0;
  return {
    enter(address) {
      const count = connections.get(address) ?? 0;
      // A mail server on this machine passes on the mail of everybody.
      if (count >= connectionsPerAddressMax && !LOOPBACK.test(address)) return false;
      connections.set(address, count + 1);
      return true;
    },
    leave(address) {
      const left = (connections.get(address) ?? 1) - 1;
      if (left > 0) connections.set(address, left);
      else connections.delete(address);
    },
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
