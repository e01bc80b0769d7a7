import type { Socket } from "node:dgram";
import { isIPv4 } from "node:net";
import { type Answer, decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED } from "dns-packet";

/** The addresses of a name; a function is called for each lookup, with its number from 1. */
export type Addresses = readonly string[] | ((lookup: number) => readonly string[]);

/** A name server with a lifetime of 0 for all it says. It knows only the names it is given; the others do not exist. */
export interface DnsServer {
  set(name: string, addresses: Addresses): void;
  /** How often a name was looked up. */
  lookups(name: string): number;
  close(): void;
}

const NAME_DOES_NOT_EXIST = 3;

interface Entry {
  addresses: Addresses;
  lookups: number;
  /** What the last lookup found. */
  found: readonly string[];
}

export function serveDns(socket: Socket, { isSilent = (_name: string): boolean => false } = {}): DnsServer {
  const entries = new Map<string, Entry>();

  function answer(name: string, type: string): Answer[] | null {
    const entry = entries.get(name.toLowerCase());
    if (!entry) return null;
    // One lookup is a question for A and one for AAAA, in this order: both get the same round of addresses.
    if (type === "A") {
      const round = ++entry.lookups;
      entry.found = typeof entry.addresses === "function" ? entry.addresses(round) : entry.addresses;
    }
    if (type !== "A" && type !== "AAAA") return [];
    return entry.found
      .filter((address) => isIPv4(address) === (type === "A"))
      .map((data) => ({ type, name, ttl: 0, data }));
  }

  socket.on("message", (message, client) => {
    const { id, flags = 0, questions = [] } = decode(message);
    const [question] = questions;
    if (!question || isSilent(question.name.toLowerCase())) return;
    const answers = answer(question.name, question.type);
    const reply = encode({
      type: "response",
      id,
      flags: (flags & RECURSION_DESIRED) | RECURSION_AVAILABLE | (answers ? 0 : NAME_DOES_NOT_EXIST),
      questions,
      answers: answers ?? [],
    });
    socket.send(reply, client.port, client.address);
  });

  return {
    set: (name, addresses) => void entries.set(name, { addresses, lookups: 0, found: [] }),
    lookups: (name) => entries.get(name)?.lookups ?? 0,
    close: () => void socket.close(),
  };
}
