import { createHmac, randomBytes } from "node:crypto";

const key = randomBytes(32);

/** The headers of the Standard Webhooks scheme: what every sender here puts on its request. */
export function signedHeaders(id, payload) {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(payload).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
}
