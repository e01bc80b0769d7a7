import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Any } from "../support/conversations.ts";
import { mailWords } from "../support/mail-words.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../support/smtp-receiver.ts";
import { until } from "../support/wait.ts";

/** What the contract allows a program to send to one address in an hour. */
const AUTOMATIC_MAX = 5;

type Mail = SmtpReceiver["accepted"][number];

/** An installation with a bot that replies to whatever it gets. */
interface Side {
  words: ReturnType<typeof mailWords>;
  /** Begins a scenario with a mailbox of its own. */
  open(address: string): Promise<void>;
  /** Mails that have left since the last call. */
  left(): Mail[];
  take(raw: string): Promise<void>;
  /** Replies to what has come since the last call: to its sender by default. */
  replyToAll(to?: string): Promise<void>;
  /** Every reply has left, but for those that are held back. */
  isQuiet(): Promise<boolean>;
  /** The automatic mails that have left since the scenario began. */
  automatic(): number;
  close(): Promise<void>;
}

async function startSide(): Promise<Side> {
  const receiver = await startSmtpReceiver();
  const parley: TestParley = await startParley({ PARLEY_MAIL_PORTS: "1024-65535" });
  const { key } = await parley.createKey({ type: "bot" });
  let mailbox: Any;
  let incoming: Any[] = [];
  let replies: Any[] = [];
  let begun = 0;
  let taken = 0;
  const words = mailWords(
    () => parley,
    () => mailbox,
  );
  const states = async () => (await Promise.all(replies.map(words.messageOf))).map(({ delivery }) => delivery.state);
  return {
    words,
    async open(address) {
      mailbox = await words.connect(address, receiver.port);
      [incoming, replies] = [[], []];
      begun = taken = receiver.accepted.length;
    },
    left() {
      const mails = receiver.accepted.slice(taken);
      taken += mails.length;
      return mails;
    },
    async take(raw) {
      incoming.push(await words.stored(raw));
    },
    async replyToAll(to) {
      const email = to ? { to: [{ address: to }] } : undefined;
      for (const message of incoming.splice(0)) {
        const reply = await words.written(message, { body: "We have your mail.", email }, { key });
        expect([201, 409, 422], reply.text).toContain(reply.status);
        if (reply.status === 201) replies.push(reply.body.data);
      }
    },
    async isQuiet() {
      const all = await states();
      const isHeldBack = all.filter((state) => state === "sent").length >= AUTOMATIC_MAX;
      return (
        incoming.length === 0 &&
        taken === receiver.accepted.length &&
        (isHeldBack || all.every((state) => state === "sent"))
      );
    },
    automatic: () => receiver.accepted.slice(begun).filter(({ raw }) => /^Auto-Submitted: auto-/m.test(raw)).length,
    async close() {
      await parley.close();
      await receiver.close();
    },
  };
}

let shop: Side;
let store: Side;
beforeAll(async () => {
  [shop, store] = await Promise.all([startSide(), startSide()]);
});
afterAll(() => Promise.all([shop?.close(), store?.close()]));

let scenario = 0;
let shopAddress: string;
let storeAddress: string;
beforeEach(async () => {
  scenario++;
  shopAddress = `shop${scenario}@shop.example`;
  storeAddress = `store${scenario}@store.example`;
  await Promise.all([shop.open(shopAddress), store.open(storeAddress)]);
});

const UNMARKED = /^(Auto-Submitted|X-Auto-Response-Suppress|Precedence):.*\r\n(?:[ \t].*\r\n)*/gim;

/** Carries every mail to the other side and lets both bots reply, until nothing moves any more. */
async function letThemWrite({ to, carry = (raw) => raw }: { to?: string[]; carry?: (raw: string) => string } = {}) {
  await until("nothing moves any more", async () => {
    for (const { raw } of shop.left()) await store.take(carry(raw));
    for (const { raw } of store.left()) await shop.take(carry(raw));
    await shop.replyToAll(to?.[0]);
    await store.replyToAll(to?.[1]);
    return (await shop.isQuiet()) && (await store.isQuiet());
  });
  // One more, to another address: by then everything that may leave before it has left.
  for (const side of [shop, store]) {
    const asked = await side.words.stored(side.words.mail({ From: `witness${scenario}@example.com` }));
    await side.words.settled(await side.words.replied(asked, {}), "sent");
    side.left();
  }
}

/** A person of the store writes to the shop. */
async function writeFirst(): Promise<void> {
  const asked = await store.words.stored(store.words.mail({ From: shopAddress, To: storeAddress }));
  await store.words.settled(await store.words.replied(asked, {}), "sent");
}

it("two installations with bots exchange one mail of a person and one reply", async () => {
  await writeFirst();
  await letThemWrite();
  expect([shop.automatic(), store.automatic()]).toEqual([1, 0]);
});

it("two bots that name each other send five mails per hour", async () => {
  await writeFirst();
  await letThemWrite({ to: [storeAddress, shopAddress] });
  expect([shop.automatic(), store.automatic()]).toEqual([AUTOMATIC_MAX, AUTOMATIC_MAX]);
});

it("two bots send five mails per hour where a server between them removes what marks their mail", async () => {
  await writeFirst();
  await letThemWrite({ carry: (raw) => raw.replace(UNMARKED, "") });
  expect([shop.automatic(), store.automatic()]).toEqual([AUTOMATIC_MAX, AUTOMATIC_MAX]);
});

const report = (headers: Record<string, string>) => (raw: string) =>
  shop.words.mail(
    {
      From: "Mail Delivery System <MAILER-DAEMON@store.example>",
      To: shopAddress,
      Subject: "Undelivered Mail Returned to Sender",
      ...headers,
    },
    `Your mail could not be delivered.\r\n\r\n${raw}`,
  );

/** The bot of the shop replies, and what comes back is made of its mail. */
async function replyUntilQuiet(comesBack: (raw: string) => string): Promise<void> {
  await until("nothing moves any more", async () => {
    for (const { raw } of shop.left()) await shop.take(comesBack(raw));
    await shop.replyToAll();
    return shop.isQuiet();
  });
  const asked = await shop.words.stored(shop.words.mail({ From: `witness${scenario}@example.com` }));
  await shop.words.settled(await shop.words.replied(asked, {}), "sent");
}

it("a bot sends one mail to an address that bounces", async () => {
  await shop.take(shop.words.mail({ From: "gone@store.example", To: shopAddress }));
  await replyUntilQuiet(report({ "Return-Path": "<>", "Content-Type": "multipart/report; boundary=none" }));
  expect(shop.automatic()).toBe(1);
});

it("a bot sends five mails per hour to an address whose bounces look like mail of a person", async () => {
  await shop.take(shop.words.mail({ From: "odd@store.example", To: shopAddress }));
  await replyUntilQuiet(report({ From: "odd@store.example" }));
  expect(shop.automatic()).toBe(AUTOMATIC_MAX);
});

it("a bot sends nothing to a mailing list", async () => {
  const ofList = { From: "talk@lists.example", "List-Id": "<talk.lists.example>", Precedence: "list" };
  await shop.take(shop.words.mail({ ...ofList, To: shopAddress }));
  await replyUntilQuiet((raw) => shop.words.mail({ ...ofList, To: shopAddress }, raw));
  expect(shop.automatic()).toBe(0);
});

it("a bot sends one mail where every mail of its mailbox comes back to it", async () => {
  await shop.take(shop.words.mail({ From: "forwarder@store.example", To: shopAddress }));
  await replyUntilQuiet((raw) => raw.replace(UNMARKED, ""));
  expect(shop.automatic()).toBe(1);
});

it("a bot sends nothing to its own address", async () => {
  await shop.take(shop.words.mail({ From: shopAddress, To: shopAddress }));
  await replyUntilQuiet((raw) => raw);
  expect(shop.automatic()).toBe(0);
});
