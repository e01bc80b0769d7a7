import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify as verifySignature,
} from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "./wait.ts";

interface ReceivedPush {
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the push holds
  payload: any;
  /** Of the VAPID token, whose signature was verified. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the token claims
  claims: any;
}

/** A browser that has subscribed: only it can read what comes. */
export interface PushClient {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** What was accepted for it. */
  pushes: ReceivedPush[];
  /** How often something was sent to it, accepted or not. */
  requests: number;
  /** The status of every response from now on; null: none is sent. */
  respond: number | null;
  waitFor(count: number): Promise<ReceivedPush[]>;
}

/** A push service with its browsers: decrypts by RFC 8291 and verifies by RFC 8292, both written here. */
export interface PushService {
  client(): PushClient;
  close(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const clients = new Map<string, (headers: IncomingHttpHeaders, body: Buffer) => number | null>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => {});
    response.on("error", () => {});
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const status = clients.get(request.url ?? "")?.(request.headers, Buffer.concat(chunks)) ?? null;
      if (status !== null) response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function client(): PushClient {
    const path = `/push/${randomBytes(12).toString("base64url")}`;
    const own = createECDH("prime256v1");
    const auth = randomBytes(16);
    const keys = { p256dh: own.generateKeys("base64url"), auth: auth.toString("base64url") };
    const made: PushClient = {
      subscription: { endpoint: origin + path, keys },
      pushes: [],
      requests: 0,
      respond: 201,
      waitFor: async (count) => {
        await until(`${count} pushes arrived`, () => made.pushes.length >= count, { timeoutMs: 30_000 });
        return made.pushes;
      },
    };
    clients.set(path, (headers, body) => {
      made.requests += 1;
      const accepted = made.respond !== null && made.respond < 300;
      if (accepted) {
        const payload = JSON.parse(decrypt(body, own, auth).toString());
        made.pushes.push({ headers, payload, claims: claimsOf(String(headers.authorization), origin) });
      }
      return made.respond;
    });
    return made;
  }

  return {
    client,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const TAG_BYTES = 16;

function decrypt(body: Buffer, own: ReturnType<typeof createECDH>, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), senderKey]);
  const shared = Buffer.from(hkdfSync("sha256", own.computeSecret(senderKey), auth, info, 32));
  const key = Buffer.from(hkdfSync("sha256", shared, salt, "Content-Encoding: aes128gcm\0", 16));
  const nonce = Buffer.from(hkdfSync("sha256", shared, salt, "Content-Encoding: nonce\0", 12));
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  // The last record ends with a 2 and any number of zeros.
  return padded.subarray(0, padded.lastIndexOf(2));
}

function claimsOf(authorization: string, origin: string): unknown {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = "", body = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const signed = Buffer.from(`${head}.${body}`);
  const form = { key, dsaEncoding: "ieee-p1363" } as const;
  if (!verifySignature("sha256", signed, form, Buffer.from(signature, "base64url")))
    throw new Error("the signature of the VAPID token is wrong");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as { aud: string };
  if (claims.aud !== origin) throw new Error(`the VAPID token is for ${claims.aud}`);
  return claims;
}
