import { createContact } from "../conversations/contacts.ts";
import { createConversation, patchConversation } from "../conversations/conversations.ts";
import { saveDraft } from "../conversations/drafts.ts";
import { createMessage } from "../conversations/message-writer.ts";
import { markRead } from "../conversations/read-state.ts";
import type { Caller } from "../core/caller.ts";
import type { Database, Tx } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { FileLinks } from "../files/links.ts";
import type { MessageRecord } from "../resources/conversations.ts";
import type { DemoClock } from "./clock.ts";
import { type DemoContact, filler, newContact } from "./contacts.ts";
import { SCRIPTS, type Script } from "./content.ts";
import { type Ending, endingOf, turnsUntil } from "./endings.ts";
import type { DemoMail } from "./mail.ts";
import { momentsAfter, newestOf, openings, QUIET_MS } from "./moments.ts";
import type { DemoCallers } from "./people.ts";
import type { Random } from "./random.ts";

const DAY_MS = 24 * 60 * 60_000;
/** The share of conversations with a contact who has written before. */
const RETURNING = 0.15;

export interface DemoWriter {
  db: Database;
  workspaceId: number;
  outbox: Outbox;
  links: FileLinks;
  random: Random;
  callers: DemoCallers;
}

/** Something that happened at a moment. */
interface Step {
  moment: number;
  run: () => Promise<void>;
}

interface Contact {
  details: DemoContact;
  /** Known once the first conversation was created. */
  id: number | null;
}

interface HistoryOptions {
  total: number;
  clock: DemoClock;
  mail: DemoMail;
}

/**
 * Conversations over the last two months, more of them in the last weeks; the newest ones are still being worked on. What happened
 * is written in the order in which it happened, over all conversations, so that ids and times increase together.
 */
export async function writeHistory(writer: DemoWriter, { total, clock, mail }: HistoryOptions): Promise<void> {
  const now = Date.now();
  const steps: Step[] = [];
  const contacts: Contact[] = [];
  const taken = new Set<string>();
  for (const [index, openedAt] of openings(writer.random, total, now).entries()) {
    const isReturning = contacts.length > 5 && writer.random.next() < RETURNING;
    const contact = isReturning
      ? writer.random.pick(contacts)
      : { details: newContact(writer.random, taken), id: null };
    if (!isReturning) contacts.push(contact);
    const ending = endingOf(total - 1 - index, newestOf(total));
    const plan = { script: scriptAt(index), openedAt, now, contact, ending };
    steps.push(...planConversation(writer, { clock, mail }, plan));
  }
  for (const { run } of steps.sort((a, b) => a.moment - b.moment)) await run();
}

const scriptAt = (index: number): Script => SCRIPTS[(index * 7) % SCRIPTS.length] as Script;

interface Plan {
  script: Script;
  openedAt: number;
  now: number;
  contact: Contact;
  ending: Ending;
}

type Ways = Pick<HistoryOptions, "clock" | "mail">;

function planConversation(writer: DemoWriter, { clock, mail }: Ways, plan: Plan): Step[] {
  const { random, callers } = writer;
  const { script, openedAt, now, contact, ending } = plan;
  const agent = random.pick(callers.agents);
  const fill = filler(random, { contact: contact.details, agent, products: script.products });
  const turns = turnsUntil(script, ending).map(([who, text]) => ({ who, body: fill(text) }));
  const thread = { script, contact, agent, subject: fill(script.subject) };
  const write = random.next() < 0.7 ? chatOf(writer, clock, thread) : mailOf(writer, { clock, mail }, thread);
  let id = 0;
  const steps: Step[] = [];
  const moments = [openedAt, ...momentsAfter(random, { openedAt, count: turns.length, until: now - QUIET_MS })];
  for (const [index, turn] of turns.entries()) {
    const moment = moments[index] as number;
    steps.push({
      moment,
      run: async () => {
        id = await write(new Date(moment), turn, id);
      },
    });
  }
  const end = moments.at(-1) as number;
  const at = (moment: number, work: (tx: Tx) => Promise<unknown>) =>
    steps.push({ moment, run: async () => void (await clock.at(new Date(moment), work, [id])) });
  const patch = patchOf(ending, random, now);
  if (patch) at(end, (tx) => patchConversation(contextOf(writer, tx, agent), { id }, patch));
  const { suggestion } = script;
  if (ending === "waiting" && suggestion)
    at(end, (tx) => saveDraft(contextOf(writer, tx, callers.bot), { id }, { body: fill(suggestion) }));
  steps.push({ moment: now, run: () => readByAgents(writer, id, ending) });
  return steps;
}

interface Thread {
  script: Script;
  contact: Contact;
  agent: Caller;
  subject: string;
}

interface Turn {
  who: "in" | "out" | "note";
  body: string;
}

/** Writes a turn of a conversation; the first one opens it. Returns its id. */
type WriteTurn = (moment: Date, turn: Turn, id: number) => Promise<number>;

const chatOf =
  (writer: DemoWriter, clock: DemoClock, { script, contact, agent, subject }: Thread): WriteTurn =>
  async (moment, { who, body }, id) => {
    const { widget } = writer.callers;
    if (id !== 0) {
      const message = { direction: who === "in" ? "in" : "out", private: who === "note", body } as const;
      const work = (tx: Tx) => createMessage(contextOf(writer, tx, who === "in" ? widget : agent), { id }, message);
      await clock.at(moment, work, [id]);
      return id;
    }
    const opened = await clock.at(moment, (tx) =>
      createConversation(contextOf(writer, tx, widget), {
        subject,
        channel: "widget",
        labels: [...script.labels],
        ...(script.priority ? { priority: script.priority } : {}),
        ...(contact.id === null ? { contact: contact.details } : { contact_id: contact.id }),
        message: { direction: "in", body },
      }),
    );
    contact.id = opened.contact.id;
    return opened.id;
  };

function mailOf(writer: DemoWriter, { clock, mail }: Ways, thread: Thread): WriteTurn {
  const { script, contact, agent, subject } = thread;
  const chat = chatOf(writer, clock, thread);
  let parent: MessageRecord | null = null;
  return async (moment, turn, id) => {
    if (turn.who === "note") return chat(moment, turn, id);
    if (turn.who === "out") {
      parent = await mail.reply(moment, agent, id, turn.body);
      return id;
    }
    // The person is a contact already when their first mail arrives.
    const { widget } = writer.callers;
    const known = (tx: Tx) => createContact(contextOf(writer, tx, widget), contact.details);
    contact.id ??= (await clock.at(moment, known)).id;
    parent = await mail.receive({ moment, contact: contact.details, subject, text: turn.body, parent });
    const { labels, priority } = script;
    const opened = parent.conversation_id;
    const patch = { labels: [...labels], ...(priority ? { priority } : {}) };
    const label = (tx: Tx) => patchConversation(contextOf(writer, tx, agent), { id: opened }, patch);
    if (id === 0) await clock.at(moment, label, [opened]);
    return opened;
  };
}

function patchOf(ending: Ending, random: Random, now: number): Parameters<typeof patchConversation>[2] | null {
  if (ending === "resolved" || ending === "pending") return { status: ending };
  if (ending !== "snoozed") return null;
  return { status: "snoozed", snoozed_until: new Date(now + random.between(DAY_MS, 5 * DAY_MS)) };
}

async function readByAgents(
  { db, workspaceId, random, callers }: DemoWriter,
  id: number,
  ending: Ending,
): Promise<void> {
  for (const { actor } of callers.agents)
    if (actor.id !== null && (ending !== "waiting" || random.next() < 0.4))
      await markRead(db, { workspaceId, userId: actor.id }, { id });
}

const contextOf = ({ outbox, links }: DemoWriter, tx: Tx, caller: Caller) => ({ tx, outbox, caller, links });
