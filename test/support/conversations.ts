import type { CallOptions, TestParley } from "./parley.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the response holds
export type Any = any;

/** Short words for what the tests of contacts, conversations, messages and events do again and again. */
export function wordsOf(parley: () => TestParley) {
  async function made(path: string, body: object = {}, options: CallOptions = {}): Promise<Any> {
    const reply = await parley().call("POST", path, { body, ...options });
    if (reply.status !== 201) throw new Error(`POST ${path} responded with ${reply.status}: ${reply.text}`);
    return reply.body.data;
  }

  async function got(path: string, options: CallOptions = {}): Promise<Any> {
    const reply = await parley().call("GET", path, options);
    if (reply.status !== 200) throw new Error(`GET ${path} responded with ${reply.status}: ${reply.text}`);
    return reply.body;
  }

  async function patched(path: string, body: object, options: CallOptions = {}): Promise<Any> {
    const reply = await parley().call("PATCH", path, { body, ...options });
    if (reply.status !== 200) throw new Error(`PATCH ${path} responded with ${reply.status}: ${reply.text}`);
    return reply.body.data;
  }

  /** Every event after a cursor, and the cursor behind them. */
  async function eventsAfter(cursor = "", options: CallOptions = {}): Promise<{ events: Any[]; cursor: string }> {
    const events: Any[] = [];
    for (let from = cursor; ; ) {
      const { data, meta } = await got(`/events?limit=100&cursor=${from}`, options);
      events.push(...data);
      from = meta.next_cursor;
      if (!meta.has_more) return { events, cursor: from };
    }
  }

  /** What `work` caused: its events' types, data and actors. */
  async function eventsOf(work: () => Promise<unknown>): Promise<Any[]> {
    const { cursor } = await eventsAfter();
    await work();
    return (await eventsAfter(cursor)).events;
  }

  /** The key that the tests call with, as events name it. */
  async function thisKey(): Promise<Any> {
    const { id, name } = (await got("/me")).data.api_key;
    return { type: "api_key", id, name };
  }

  /** All records of a list by its links, running `between` before each further page. */
  async function everyPage(path: string, between: () => Promise<unknown> = async () => {}): Promise<Any[]> {
    const records: Any[] = [];
    for (let next: string | null = path; next; ) {
      const { data, links }: Any = await got(next);
      records.push(...data);
      next = links.next?.slice(`${parley().url}/api/v1`.length) ?? null;
      if (next) await between();
    }
    return records;
  }

  /** Which fields a 422 names. */
  async function wrongFields(method: string, path: string, body?: object): Promise<string[]> {
    const reply = await parley().call(method, path, body ? { body } : {});
    if (reply.status !== 422) throw new Error(`${method} ${path} responded with ${reply.status}: ${reply.text}`);
    return Object.keys(reply.body.error.details).sort();
  }

  return { made, got, patched, eventsAfter, eventsOf, thisKey, everyPage, wrongFields };
}
