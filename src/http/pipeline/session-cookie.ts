import type { FastifyReply, FastifyRequest } from "fastify";
import { DEVICE_DAYS_MAX } from "../../accounts/devices.ts";
import { SESSION_SECONDS_MAX } from "../../accounts/sessions.ts";

const SESSION = "parley_session";
/** Recognises a browser that has signed in before; opens nothing by itself. */
const DEVICE = "parley_device";

const patternOf = (name: string): RegExp => new RegExp(`(?:^|;)\\s*${name}=([A-Za-z0-9_-]{43})\\s*(?:;|$)`);
const SESSION_TOKEN = patternOf(SESSION);
const DEVICE_TOKEN = patternOf(DEVICE);

/** The token in the cookie; null when there is none, or when what is there cannot be one of our tokens. */
export const sessionTokenOf = (request: FastifyRequest): string | null =>
  SESSION_TOKEN.exec(request.headers.cookie ?? "")?.[1] ?? null;

export const deviceTokenOf = (request: FastifyRequest): string | null =>
  DEVICE_TOKEN.exec(request.headers.cookie ?? "")?.[1] ?? null;

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
  const text = `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  reply.header("set-cookie", text);
}
