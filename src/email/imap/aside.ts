import type { Relation } from "../inbound/relation.ts";

/**
 * The mails of a folder that are read next to those that come after them: the large ones, and what must be stored after
 * one of these because it continues the same conversation.
 */
export class MailsAside {
  readonly #relations = new Map<number, Relation>();

  get isEmpty(): boolean {
    return this.#relations.size === 0;
  }

  numbers = (): ReadonlySet<number> => new Set(this.#relations.keys());

  add(uid: number, relation: Relation): void {
    this.#relations.set(uid, relation);
  }

  /** The one that has waited longest. */
  next(): number | undefined {
    return this.#relations.keys().next().value;
  }

  delete(uid: number): void {
    this.#relations.delete(uid);
  }

  /** Whether one of them must be stored first. */
  precedes({ refersTo, conversationId }: Relation): boolean {
    for (const waiting of this.#relations.values()) {
      if (conversationId !== null && waiting.conversationId === conversationId) return true;
      if (waiting.messageId !== null && refersTo.has(waiting.messageId)) return true;
    }
    return false;
  }

  /** The lowest number of them, but for one that is being stored. */
  lowest(except: number): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const uid of this.#relations.keys()) if (uid !== except) lowest = Math.min(lowest, uid);
    return lowest;
  }
}
