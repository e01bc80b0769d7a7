import type { FastifyReply, FastifyRequest } from "fastify";
import { SESSION_SECONDS_MAX } from "../../accounts/sessions.ts";

const NAME = "parley_session";
const TOKEN = new RegExp(`(?:^|;)\\s*${NAME}=([A-Za-z0-9_-]{43})\\s*(?:;|$)`);

/** The token in the cookie; null when there is none, or what is there can be no token of ours. */
export const sessionTokenOf = (request: FastifyRequest): string | null =>
  TOKEN.exec(request.headers.cookie ?? "")?.[1] ?? null;

/** Script never sees it, other sites' posts do not carry it, and under https it never leaves https. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  publicUrl: string | null,
): void {
  reply.header("set-cookie", cookie(token, SESSION_SECONDS_MAX, isSecure(request, publicUrl)));
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, publicUrl: string | null): void {
  reply.header("set-cookie", cookie("", 0, isSecure(request, publicUrl)));
}

const isSecure = (request: FastifyRequest, publicUrl: string | null): boolean =>
  request.protocol === "https" || (publicUrl?.startsWith("https:") ?? false);

const cookie = (value: string, seconds: number, secure: boolean): string =>
  `${NAME}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
