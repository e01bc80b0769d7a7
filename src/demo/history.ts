import { createConversation, patchConversation } from "../conversations/conversations.ts";
import { saveDraft } from "../conversations/drafts.ts";
import { createMessage } from "../conversations/message-writer.ts";
import { markRead } from "../conversations/read-state.ts";
import type { Caller } from "../core/caller.ts";
import type { Database, Tx } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { FileLinks } from "../files/links.ts";
import { createDemoClock, type DemoClock } from "./clock.ts";
import { CITIES, EMAIL_DOMAIN, FIRST_NAMES, LAST_NAMES, PLANS, PRODUCTS, SCRIPTS, type Script } from "./content.ts";
import type { Cast } from "./people.ts";
import type { Random } from "./random.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 60;

export interface DemoWriter {
  db: Database;
  workspaceId: number;
  outbox: Outbox;
  links: FileLinks;
  random: Random;
  cast: Cast;
}

/** Conversations over the last two months, more of them lately. The newest ones are the ones still to be answered. */
export async function writeHistory(writer: DemoWriter, total: number): Promise<void> {
  const { db, workspaceId, random } = writer;
  const clock = createDemoClock(db, workspaceId);
  const now = Date.now();
  // Squared: as many in the last two weeks as in the six before.
  const ages = Array.from({ length: total }, () => random.next() ** 2 * DAYS * DAY_MS + 20 * MINUTE_MS);
  for (const [index, age] of ages.sort((a, b) => b - a).entries())
    await writeConversation(writer, clock, { script: scriptAt(index), openedAt: now - age, now });
}

const scriptAt = (index: number): Script => SCRIPTS[(index * 7 + Math.floor(index / 10)) % SCRIPTS.length] as Script;

interface Plan {
  script: Script;
  openedAt: number;
  now: number;
}

async function writeConversation(writer: DemoWriter, clock: DemoClock, plan: Plan): Promise<void> {
  const { random, cast } = writer;
  const { script, openedAt, now } = plan;
  const agent = random.pick(cast.agents);
  const contact = newContact(random);
  const fill = filler(random, contact, agent);
  const [first, ...rest] = script.turns;
  if (!first) return;
  let moment = openedAt;
  const opened = await clock.at(new Date(moment), async (tx) => ({
    result: await createConversation(contextOf(writer, tx, cast.widget), {
      subject: fill(script.subject),
      channel: random.next() < 0.7 ? "widget" : "email",
      labels: [...script.labels],
      ...(script.priority ? { priority: script.priority } : {}),
      contact,
      message: { direction: "in", body: fill(first[1]) },
    }),
  }));
  const { id } = opened;
  const conversations = [id];
  let last: string = first[0];
  for (const [who, text] of rest) {
    moment += who === "in" ? random.between(10 * MINUTE_MS, 6 * HOUR_MS) : random.between(4 * MINUTE_MS, 3 * HOUR_MS);
    // What would be in the future has not been written yet: those conversations are still open.
    if (moment > now - MINUTE_MS) break;
    const by = who === "in" ? cast.widget : agent;
    const message = { direction: who === "in" ? "in" : "out", private: who === "note", body: fill(text) } as const;
    await clock.at(new Date(moment), async (tx) => ({
      result: await createMessage(contextOf(writer, tx, by), { id }, message),
      conversations,
    }));
    last = who;
  }
  await endConversation(writer, clock, {
    id,
    last,
    agent,
    moment,
    now,
    suggestion: script.suggestion && fill(script.suggestion),
  });
}

interface Ending {
  id: number;
  last: string;
  agent: Caller;
  moment: number;
  now: number;
  suggestion: string | undefined;
}

async function endConversation(writer: DemoWriter, clock: DemoClock, ending: Ending): Promise<void> {
  const { random, cast, db, workspaceId } = writer;
  const { id, last, agent, now, suggestion } = ending;
  const at = new Date(Math.min(ending.moment + random.between(5 * MINUTE_MS, 2 * HOUR_MS), now - MINUTE_MS));
  const change = (patch: Parameters<typeof patchConversation>[2]) =>
    clock.at(at, async (tx) => ({
      result: await patchConversation(contextOf(writer, tx, agent), { id }, patch),
      conversations: [id],
    }));
  const age = now - ending.moment;
  if (last !== "in" || age > 3 * DAY_MS) {
    const chance = random.next();
    if (age > DAY_MS || chance < 0.5) await change({ status: "resolved" });
    else if (chance < 0.7)
      await change({ status: "snoozed", snoozed_until: new Date(now + random.between(DAY_MS, 5 * DAY_MS)) });
    else if (chance < 0.85) await change({ status: "pending" });
  } else if (suggestion && random.next() < 0.6)
    await clock.at(at, async (tx) => ({
      result: await saveDraft(contextOf(writer, tx, cast.bot), { id }, { body: suggestion }),
    }));
  for (const { actor } of cast.agents)
    if (actor.id !== null && (last !== "in" || random.next() < 0.4))
      await markRead(db, { workspaceId, userId: actor.id }, { id });
}

const contextOf = ({ outbox, links }: DemoWriter, tx: Tx, caller: Caller) => ({ tx, outbox, caller, links });

export function newContact(random: Random) {
  const [first, family] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
  const plain = `${first}.${family}`
    .normalize("NFD")
    .replace(/[^A-Za-z.]/g, "")
    .toLowerCase();
  return {
    name: `${first} ${family}`,
    email: `${plain}${Math.floor(random.between(10, 99))}@mail.${EMAIL_DOMAIN}`,
    phone: `+49 30 ${Math.floor(random.between(1_000_000, 9_999_999))}`,
    attributes: {
      city: random.pick(CITIES),
      plan: random.pick(PLANS),
      orders: Math.floor(random.between(1, 14)),
    },
  };
}

/** Fills the names of a script, the same ones throughout a conversation. */
export function filler(random: Random, contact: ReturnType<typeof newContact>, agent: Caller) {
  const values: Record<string, string> = {
    name: contact.name.split(" ")[0] ?? "",
    city: contact.attributes.city,
    agent: agent.actor.name?.split(" ")[0] ?? "",
    product: random.pick(PRODUCTS),
    order: `FW-${Math.floor(random.between(10_000, 99_999))}`,
  };
  return (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
