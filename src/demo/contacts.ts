import type { Caller } from "../core/caller.ts";
import { CITIES, FIRST_NAMES, LAST_NAMES, MAIL_HOSTS, PEOPLE, PLANS, PRODUCTS } from "./content.ts";
import type { Random } from "./random.ts";

export type DemoContact = ReturnType<typeof newContact>;

/** Letters that Unicode does not split into a base letter and an accent. */
const PLAIN: Record<string, string> = { ø: "o", ı: "i", ł: "l" };
const TRIES = 20;

/** A new contact. `taken` keeps names from appearing twice, while there are enough of them. */
export function newContact(random: Random, taken: Set<string> = new Set()) {
  let [first, family] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
  for (let tries = 0; taken.has(`${first} ${family}`) && tries < TRIES; tries++)
    [first, family] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
  const name = `${first} ${family}`;
  const number = taken.size + 1;
  const address = taken.has(name) ? `${plain(name)}${number}` : plain(name);
  taken.add(name);
  const city = random.pick(CITIES);
  const digits = Math.floor(random.between(1_000_000, 9_999_999));
  return {
    external_id: `C-${String(digits).slice(-5)}`,
    name,
    email: `${address}@${random.pick(MAIL_HOSTS)}`,
    phone: `${city.prefix} ${Math.floor(digits / 10_000)} ${String(digits % 10_000).padStart(4, "0")}`,
    attributes: {
      city: city.name,
      plan: random.pick(PLANS),
      orders: Math.floor(random.between(1, 14)),
    },
  };
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[øıł]/g, (letter) => PLAIN[letter] ?? "")
    .normalize("NFD")
    .replace(/[^a-z ]/g, "")
    .replaceAll(" ", ".");

interface Filling {
  contact: DemoContact;
  agent: Caller;
  /** What the conversation can be about; any product without it. */
  products?: readonly string[] | undefined;
}

/** Fills the names of a script, the same ones throughout a conversation. */
export function filler(random: Random, { contact, agent, products = PRODUCTS }: Filling) {
  const writer = agent.actor.name?.split(" ")[0] ?? "";
  const colleague = PEOPLE.map(({ name }) => name.split(" ")[0] ?? "").find((name) => name !== writer);
  const values: Record<string, string> = {
    name: contact.name.split(" ")[0] ?? "",
    city: contact.attributes.city,
    agent: writer,
    colleague: colleague ?? "",
    product: random.pick(products),
    order: `FW-${Math.floor(random.between(10_000, 99_999))}`,
  };
  return (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
