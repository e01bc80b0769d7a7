import { connect, type Socket } from "node:net";
import { connectFailure, OutboundFailure } from "./failure.ts";

/** The operator's proxy, through which every connection to an address that a user chose goes. */
export interface EgressProxy {
  host: string;
  port: number;
  /** The value of `Proxy-Authorization`; null: the proxy asks for none. */
  authorization: string | null;
  /** Host and port, without the credentials: for logs. */
  name: string;
}

/** Reads `http://user:password@host:port`. */
export function egressProxyOf(text: string): EgressProxy {
  const { hostname, port, host, username, password } = new URL(text);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || 80),
    authorization: username === "" ? null : `Basic ${Buffer.from(credentials).toString("base64")}`,
    name: host,
  };
}

const HEAD_BYTES_MAX = 16_384;
const HEAD_END = "\r\n\r\n";

/** The proxy itself is at fault: the receiver was not asked. */
const proxyFailure = ({ name }: EgressProxy, what: string): OutboundFailure =>
  new OutboundFailure("proxy", `the egress proxy ${name} ${what}`);

export const proxyUnreachable = (proxy: EgressProxy, error: unknown): OutboundFailure =>
  proxyFailure(proxy, `cannot be reached: ${connectFailure(error).message}`);

/**
 * Asks for a tunnel to an address that the guard has checked: by its number, so that the proxy looks no name up. `done` is
 * called once, with what went wrong or null.
 */
export function requestTunnel(
  socket: Socket,
  proxy: EgressProxy,
  { address, port }: { address: string; port: number },
  done: (failure: OutboundFailure | null) => void,
): void {
  const target = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  let head = Buffer.alloc(0);
  const end = (failure: OutboundFailure | null): void => {
    socket.pause();
    socket.off("data", onData).off("close", onClose).off("error", onClose);
    done(failure);
  };
  const onClose = (): void => end(proxyFailure(proxy, "closed the connection before it responded"));
  const onData = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const at = head.indexOf(HEAD_END);
    if (at < 0 && head.length <= HEAD_BYTES_MAX) return;
    // Nothing may follow: the receiver does not speak before it is spoken to.
    const isWhole = at >= 0 && (at + HEAD_END.length === head.length || !isTunnel(head));
    end(isWhole ? verdict(proxy, head) : proxyFailure(proxy, "sent a response that is not valid HTTP/1.1"));
  };
  socket.on("data", onData).on("close", onClose).on("error", onClose);
  const authorization = proxy.authorization === null ? "" : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
}

const statusOf = (head: Buffer): number => Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString("latin1"))?.[1] ?? 0);
const isTunnel = (head: Buffer): boolean => statusOf(head) >= 200 && statusOf(head) < 300;

/** A refusal is about the receiver, unless the proxy does not know who asks. */
function verdict(proxy: EgressProxy, head: Buffer): OutboundFailure | null {
  const status = statusOf(head);
  if (isTunnel(head)) return null;
  if (status === 0) return proxyFailure(proxy, "sent a response that is not valid HTTP/1.1");
  // tinyproxy says 407 where credentials are missing, and 401 where they are wrong.
  if (status === 407 || status === 401)
    return proxyFailure(proxy, `refuses the user name and password of this server (HTTP ${status})`);
  return new OutboundFailure(
    "connect",
    `the egress proxy ${proxy.name} could not connect to the receiver: HTTP ${status}`,
  );
}

const CHECK_MS_MAX = 5_000;

/** For the operator: whether the proxy accepts connections. Null: it does; otherwise why not. */
export function checkEgressProxy(proxy: EgressProxy): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: proxy.host, port: proxy.port, timeout: CHECK_MS_MAX });
    const end = (problem: string | null): void => {
      socket.on("error", () => {}).destroy();
      resolve(problem);
    };
    socket
      .once("connect", () => end(null))
      .once("timeout", () => end(`no response within ${CHECK_MS_MAX / 1_000} s`))
      .once("error", (error) => end(connectFailure(error).message));
  });
}
