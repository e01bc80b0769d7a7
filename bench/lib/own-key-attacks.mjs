// What a workspace can do to others with an ordinary key: locks, long texts, large lists, tools for assistants. Each row names
// the least share of its own rate that the attacker has to keep while the other workspace is active.
import { createWebhooks } from "./workspaces.mjs";

const SAME_CONVERSATIONS = 100;
const LARGE_EVENTS = 50;
const ORDERED_WEBHOOKS = Number(process.env.BENCH_ORDERED ?? 1_500);
const FILTERED_WEBHOOKS = Number(process.env.BENCH_FILTERED ?? 10_000);
const WRITES = 0.8;
const EXPENSIVE_READS = 0.6;

/** 65,000 characters, all words different, and others in each request. */
const differentWords = (from) =>
  Array.from({ length: 13_000 }, (_, index) => (from * 13_000 + index).toString(36).padStart(4, "0")).join(" ");

/** As many conditions as a filter takes, each of which has to look at the text and none of which matches. */
const MOST_EXPENSIVE_FILTER = {
  $or: Array.from({ length: 49 }, (_, index) => ({ data: { body: { $startsWith: `${index}` } } })),
};

/** Little to read, and each of its values is compared with each literal: what a filter costs most, for its event. */
const MANY_VALUES = { attributes: { value: Array.from({ length: 7_900 }, (_, index) => index) } };
const EACH_VALUE = {
  $and: Array.from({ length: 48 }, () => ({
    data: { attributes: { value: { $nin: [-1, -2, -3, -4, -5, -6, -7, -8] } } },
  })),
};

const preview = (filter) => ({ events: ["*"], filter, template: Array(1_000).fill("{{ data }}"), limit: 20 });

/** Rows of attacks, as bench/lib/attacks.mjs runs them. */
export const ownKeyAttacksIn = (scene) => [
  ...locksIn(scene),
  ...bodiesIn(scene),
  ...writesIn(scene),
  ...readsIn(scene),
];

const as = (key, more = {}) => ({ authorization: `Bearer ${key}`, "content-type": "application/json", ...more });

const post = (path, { key }, body, more) => ({
  kind: "requests",
  method: "POST",
  path,
  headers: as(key),
  bodies: [body].flat().map((item) => JSON.stringify(item)),
  ...more,
});

/** Callers who wait for each other's locks. */
function locksIn({ product, attacker }) {
  const conversation = attacker.path.replace(/\/messages$/, "");
  const subjects = [{ subject: "a" }, { subject: "b" }];
  return [
    {
      name: `13 bulk changes of the same ${SAME_CONVERSATIONS} conversations`,
      victim: "reads",
      keeps: WRITES,
      async prepare() {
        const ids = [];
        for (let left = SAME_CONVERSATIONS; left > 0; left--)
          ids.push((await product.call("POST", "/conversations", { subject: "same" }, attacker.key)).id);
        const changes = ["low", "high"].map((priority) => ({ ids, set: { priority } }));
        this.request = post("/api/v1/conversations/bulk", { key: attacker.lowKey }, changes, { callers: 13 });
      },
    },
    {
      name: "32 callers who write a draft of one conversation",
      victim: "reads",
      keeps: WRITES,
      async prepare() {
        const drafts = `${conversation}/drafts`;
        const { id } = await product.call("POST", drafts.replace("/api/v1", ""), { body: "x" }, attacker.key);
        const bodies = [{ body: "a" }, { body: "b" }];
        this.request = post(`${drafts}/${id}`, attacker, bodies, { method: "PATCH", callers: 32 });
      },
    },
    {
      name: "16 callers who change one conversation",
      victim: "reads",
      keeps: WRITES,
      request: post(conversation, attacker, subjects, { method: "PATCH", callers: 16 }),
    },
    {
      name: "24 callers with idempotency keys",
      victim: "reads",
      keeps: WRITES,
      request: post(attacker.path, attacker, { body: "x" }, { callers: 24, hasIdempotencyKeys: true }),
    },
  ];
}

/** Bodies of a megabyte that take longest to parse. */
function bodiesIn({ attacker }) {
  const conversation = attacker.path.replace(/\/messages$/, "");
  const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]));
  const brackets = `{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`;
  const part = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`;
  const form = { headers: as(attacker.key, { "content-type": "multipart/form-data; boundary=b" }) };
  const raw = (path, body, more) => ({ ...post(path, attacker, []), bodies: [body], ...more });
  return [
    {
      name: "8 callers with forms of 20,000 parts",
      victim: "reads",
      request: raw("/api/v1/files", `${part.repeat(20_000)}--b--`, { callers: 8, ...form }),
    },
    {
      name: "16 callers with bodies of 1,000,000 brackets",
      victim: "reads",
      request: raw(conversation, brackets, { method: "PATCH", callers: 16 }),
    },
    {
      name: "16 callers with bodies of 60,000 fields",
      victim: "reads",
      request: raw(conversation, JSON.stringify(fields), { method: "PATCH", callers: 16 }),
    },
  ];
}

function writesIn({ product, attacker, sinkUrl, clear }) {
  const texts = Array.from({ length: 20 }, (_, index) => ({ body: differentWords(index) }));
  const target = { key: attacker.key, url: sinkUrl };
  const filtered = Array.from({ length: FILTERED_WEBHOOKS }, () => ({ ...target, filter: MOST_EXPENSIVE_FILTER }));
  const compared = Array.from({ length: FILTERED_WEBHOOKS }, () => ({
    ...target,
    events: ["contact.created"],
    filter: EACH_VALUE,
  }));
  const webhooks = Array.from({ length: ORDERED_WEBHOOKS }, () => ({ key: attacker.key, url: sinkUrl, ordered: true }));
  return [
    {
      name: "8 callers who write messages of 65,000 characters, all words different",
      victim: "writes",
      keeps: WRITES,
      request: post(attacker.path, attacker, texts, { callers: 8 }),
    },
    {
      name: `${ORDERED_WEBHOOKS.toLocaleString("en")} ordered webhooks and 4 messages per second`,
      victim: "reads",
      prepare: () => createWebhooks(product, webhooks),
      request: { kind: "messages", targets: [attacker], perSecond: 4 },
      clear,
    },
    {
      name: `${FILTERED_WEBHOOKS.toLocaleString("en")} webhooks with filters of 50 conditions, and messages of 60,000 characters`,
      victim: "deliveries",
      prepare: () => createWebhooks(product, filtered),
      request: post(attacker.path, attacker, { body: "x".repeat(60_000) }, { callers: 2 }),
      clear,
    },
    {
      name: `${FILTERED_WEBHOOKS.toLocaleString("en")} webhooks with filters of 384 literals, and contacts with 7,900 values`,
      victim: "deliveries",
      prepare: () => createWebhooks(product, compared),
      request: post("/api/v1/contacts", attacker, MANY_VALUES, { callers: 2 }),
      clear,
    },
  ];
}

function readsIn({ product, attacker }) {
  const headers = as(attacker.key);
  const tool = { name: "recent_events", arguments: { limit: 50 } };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool };
  const mcpHeaders = as(attacker.key, { accept: "application/json, text/event-stream" });
  const phrase = encodeURIComponent('"الله عليه"');
  const messages = async (body, count) => {
    for (let left = count; left > 0; left--)
      await product.call("POST", attacker.path.replace("/api/v1", ""), { body }, attacker.key);
  };
  return [
    {
      name: "one caller of the tool recent_events with events of 60 kB",
      victim: "reads",
      keeps: EXPENSIVE_READS,
      prepare: () => messages("x".repeat(60_000), LARGE_EVENTS),
      request: post("/mcp", attacker, call, { callers: 1, headers: mcpHeaders }),
    },
    {
      name: "8 callers who list events of 60 kB",
      victim: "reads",
      keeps: EXPENSIVE_READS,
      request: { kind: "requests", path: "/api/v1/events?limit=100&order=desc", headers, callers: 8 },
    },
    {
      name: "32 readers of a consumer with a filter of 50 conditions, in events of 60 kB",
      victim: "reads",
      keeps: EXPENSIVE_READS,
      prepare: () =>
        product.call("PUT", "/consumers/rare", { start: "beginning", filter: MOST_EXPENSIVE_FILTER }, attacker.key),
      request: { kind: "requests", path: "/api/v1/consumers/rare/events", headers, callers: 32 },
    },
    {
      name: "32 previews with a filter of 50 conditions and a template of 1,000 placeholders, in events of 60 kB",
      victim: "reads",
      keeps: EXPENSIVE_READS,
      request: post("/api/v1/webhooks/preview", attacker, [preview(MOST_EXPENSIVE_FILTER), preview({})], {
        callers: 32,
      }),
    },
    {
      name: "4 searches at once in messages whose characters become eighteen each",
      victim: "reads",
      keeps: EXPENSIVE_READS,
      prepare: () => messages("\u{fdfa}".repeat(21_000), 6),
      request: { kind: "requests", path: `/api/v1/search?q=${phrase}`, headers, callers: 4 },
    },
  ];
}
