import type { FastifyReply, FastifyRequest } from "fastify";
import { DEVICE_DAYS_MAX } from "../../accounts/devices.ts";
import { SESSION_SECONDS_MAX } from "../../accounts/sessions.ts";

const SESSION = "parley_session";
/** Recognises a browser that has signed in before; opens nothing by itself. */
const DEVICE = "parley_device";

/** Under https no other host of the domain can set a cookie of this prefix, and none without it is read. */
const HOST_PREFIX = "__Host-";

const patternOf = (name: string): RegExp =>
  new RegExp(`(?:^|;)\\s*${name}=((?:c[1-9][0-9]{0,3}\\.)?[A-Za-z0-9_-]{43})\\s*(?:;|$)`);
const PATTERNS = new Map(
  [SESSION, DEVICE].flatMap((name) => [name, HOST_PREFIX + name].map((it) => [it, patternOf(it)])),
);

const nameFor = ({ server }: FastifyRequest, name: string): string =>
  server?.usesHostCookies ? HOST_PREFIX + name : name;

const tokenOf = (request: FastifyRequest, name: string): string | null =>
  PATTERNS.get(nameFor(request, name))?.exec(request.headers.cookie ?? "")?.[1] ?? null;

/** The token in the cookie; null when there is none, or when what is there cannot be one of our tokens. */
export const sessionTokenOf = (request: FastifyRequest): string | null => tokenOf(request, SESSION);

export const deviceTokenOf = (request: FastifyRequest): string | null => tokenOf(request, DEVICE);

/** One request, its reply, and the address that clients use. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  publicUrl: string | null;
}

/** Script never sees it, other sites' posts do not carry it, and under https it never leaves https. */
export function setSessionCookie(exchange: Exchange, token: string): void {
  setCookie(exchange, { name: SESSION, value: token, seconds: SESSION_SECONDS_MAX });
}

export function clearSessionCookie(exchange: Exchange): void {
  setCookie(exchange, { name: SESSION, value: "", seconds: 0 });
}

export function setDeviceCookie(exchange: Exchange, token: string): void {
  setCookie(exchange, { name: DEVICE, value: token, seconds: DEVICE_DAYS_MAX * 86_400 });
}

function setCookie(
  { request, reply, publicUrl }: Exchange,
  { name, value, seconds }: { name: string; value: string; seconds: number },
): void {
  const secure = request.protocol === "https" || (publicUrl?.startsWith("https:") ?? false);
  const text = `${nameFor(request, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  reply.header("set-cookie", text);
}
