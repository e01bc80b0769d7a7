import { setTimeout as sleep } from "node:timers/promises";

const RESPONSE_MS_MAX = 30_000;
const EVENT_MS_MAX = 30_000;

/**
 * What every installation must be able to do, whichever node a request reaches: read, write, and report what was written
 * as an event. The key that it creates is revoked at the end, the contact deleted.
 *
 * @param {{ base: string, key: string }} installation
 * @returns {[name: string, work: () => Promise<void>][]}
 */
export function smokeChecks({ base, key }) {
  const call = (method, path, { body, status = 200, as = key } = {}) =>
    send(`${base}/api/v1${path}`, { method, body, status, key: as });

  return [
    [
      "lists the keys",
      async () => {
        const { data } = await call("GET", "/api-keys");
        expect(Array.isArray(data) && data.length > 0, `data is not a list of keys: ${JSON.stringify(data)}`);
      },
    ],
    [
      "creates a key that is accepted at once, and revokes it",
      async () => {
        const { data: created } = await call("POST", "/api-keys", { body: { name: "Smoke" }, status: 201 });
        expect(typeof created.key === "string", "the response has no secret");
        await call("GET", "/me", { as: created.key });
        await call("DELETE", `/api-keys/${created.id}`);
      },
    ],
    [
      "stores a contact, reports it as an event, and deletes it",
      async () => {
        const { data: contact } = await call("POST", "/contacts", { body: { name: "Smoke" }, status: 201 });
        const isReported = async () => {
          const { data } = await call("GET", "/events?type=contact.created&order=desc&limit=20");
          return data.some((event) => event.data.id === contact.id || event.data.contact?.id === contact.id);
        };
        const deadline = performance.now() + EVENT_MS_MAX;
        while (!(await isReported())) {
          expect(performance.now() < deadline, `no event after ${EVENT_MS_MAX} ms`);
          await sleep(50);
        }
        await call("DELETE", `/contacts/${contact.id}`);
      },
    ],
  ];
}

async function send(url, { method, body, status, key }) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(RESPONSE_MS_MAX),
  });
  const text = await response.text();
  expect(response.status === status, `expected ${status}, got ${response.status}: ${text}`);
  const parsed = JSON.parse(text);
  expect(parsed.success === true && "data" in parsed, `not the envelope: ${text}`);
  return parsed;
}

export function expect(holds, message) {
  if (!holds) throw new Error(message);
}
