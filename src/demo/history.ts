import { createConversation, patchConversation } from "../conversations/conversations.ts";
import { saveDraft } from "../conversations/drafts.ts";
import { createMessage } from "../conversations/message-writer.ts";
import { markRead } from "../conversations/read-state.ts";
import type { Caller } from "../core/caller.ts";
import type { Database, Tx } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { FileLinks } from "../files/links.ts";
import { createDemoClock, type DemoClock } from "./clock.ts";
import { type DemoContact, filler, newContact } from "./contacts.ts";
import { SCRIPTS, type Script } from "./content.ts";
import { type Ending, endingOf, turnsUntil } from "./endings.ts";
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

/**
 * Conversations over the last two months, more of them in the last weeks; the newest ones are still being worked on. What happened
 * is written in the order in which it happened, over all conversations, so that ids and times increase together.
 */
export async function writeHistory(writer: DemoWriter, total: number): Promise<void> {
  const clock = createDemoClock(writer.db, writer.workspaceId);
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
    steps.push(...planConversation(writer, clock, { script: scriptAt(index), openedAt, now, contact, ending }));
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

function planConversation(writer: DemoWriter, clock: DemoClock, plan: Plan): Step[] {
  const { random, callers } = writer;
  const { script, openedAt, now, contact, ending } = plan;
  const agent = random.pick(callers.agents);
  const fill = filler(random, { contact: contact.details, agent, products: script.products });
  const channel = random.next() < 0.7 ? "widget" : "email";
  const [first, ...rest] = turnsUntil(script, ending);
  if (!first) return [];
  let id = 0;
  const steps: Step[] = [];
  const then = (moment: number, run: () => Promise<unknown>) =>
    steps.push({ moment, run: async () => void (await run()) });
  const at = (moment: number, work: (tx: Tx) => Promise<unknown>) =>
    then(moment, () => clock.at(new Date(moment), async (tx) => ({ result: await work(tx), conversations: [id] })));

  then(openedAt, async () => {
    const opened = await clock.at(new Date(openedAt), async (tx) => ({
      result: await createConversation(contextOf(writer, tx, callers.widget), {
        subject: fill(script.subject),
        channel,
        labels: [...script.labels],
        ...(script.priority ? { priority: script.priority } : {}),
        ...(contact.id === null ? { contact: contact.details } : { contact_id: contact.id }),
        message: { direction: "in", body: fill(first[1]) },
      }),
    }));
    id = opened.id;
    contact.id = opened.contact.id;
  });
  const moments = momentsAfter(random, { openedAt, count: rest.length + 1, until: now - QUIET_MS });
  for (const [index, [who, text]] of rest.entries()) {
    const by = who === "in" ? callers.widget : agent;
    const message = { direction: who === "in" ? "in" : "out", private: who === "note", body: fill(text) } as const;
    at(moments[index] as number, (tx) => createMessage(contextOf(writer, tx, by), { id }, message));
  }
  const end = moments.at(-1) as number;
  const patch = patchOf(ending, random, now);
  if (patch) at(end, (tx) => patchConversation(contextOf(writer, tx, agent), { id }, patch));
  const { suggestion } = script;
  if (ending === "waiting" && suggestion)
    then(end, () =>
      clock.at(new Date(end), async (tx) => ({
        result: await saveDraft(contextOf(writer, tx, callers.bot), { id }, { body: fill(suggestion) }),
      })),
    );
  then(now, () => readByAgents(writer, id, ending));
  return steps;
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
