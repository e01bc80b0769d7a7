import { setTimeout as sleep } from "node:timers/promises";
import { createConversation } from "../conversations/conversations.ts";
import { createMessage } from "../conversations/message-writer.ts";
import { filler, newContact } from "./contacts.ts";
import { SCRIPTS } from "./content.ts";
import type { DemoWriter } from "./history.ts";

interface LiveOptions {
  signal: AbortSignal;
  pauseMs: number;
  report: (line: string) => void;
}

interface Thread {
  id: number;
  turns: { by: "in" | "out" | "note"; body: string }[];
}

const THREADS_MAX = 8;

/** New conversations and replies, one after the other, until the signal ends them. */
export async function runLive(writer: DemoWriter, { signal, pauseMs, report }: LiveOptions): Promise<void> {
  const threads: Thread[] = [];
  while (!signal.aborted) {
    const thread = threads.length < THREADS_MAX && writer.random.next() < 0.4 ? null : threads.shift();
    if (!thread) threads.push(await open(writer, report));
    else if (await advance(writer, thread, report)) threads.push(thread);
    await sleep(writer.random.between(pauseMs / 2, pauseMs * 1.5), undefined, { signal }).catch(() => {});
  }
}

async function open(
  { db, outbox, links, random, callers }: DemoWriter,
  report: LiveOptions["report"],
): Promise<Thread> {
  const script = random.pick(SCRIPTS);
  const contact = newContact(random);
  const fill = filler(random, { contact, agent: random.pick(callers.agents), products: script.products });
  const [first, ...rest] = script.turns.map(([by, body]) => ({ by, body: fill(body) }));
  const { id } = await db.transaction((tx) =>
    createConversation(
      { tx, outbox, links, caller: callers.widget },
      {
        subject: fill(script.subject),
        channel: "widget",
        labels: [...script.labels],
        contact,
        message: { direction: "in", body: first?.body ?? "" },
      },
    ),
  );
  report(`${contact.name} opened conversation ${id}: ${fill(script.subject)}`);
  return { id, turns: rest };
}

/** The next message of a conversation; false when it was the last. */
async function advance(
  { db, outbox, links, random, callers }: DemoWriter,
  { id, turns }: Thread,
  report: LiveOptions["report"],
): Promise<boolean> {
  const turn = turns.shift();
  if (!turn) return false;
  const { by, body } = turn;
  const caller = by === "in" ? callers.widget : random.pick(callers.agents);
  const message = { direction: by === "in" ? "in" : "out", private: by === "note", body } as const;
  await db.transaction((tx) => createMessage({ tx, outbox, links, caller }, { id }, message));
  report(`${by === "in" ? "The contact" : caller.actor.name} wrote in conversation ${id}`);
  return turns.length > 0;
}
