import { connect as netConnect, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { AddressPolicy } from "./address-policy.ts";
import { type EgressProxy, proxyUnreachable, requestTunnel } from "./egress-proxy.ts";
import { connectFailure, lookupFailure, OutboundFailure, tlsFailure } from "./failure.ts";
import type { Lookup } from "./lookup.ts";
import { startClientTls } from "./tls.ts";

export interface ConnectTarget {
  /** Name or plain IP address, without brackets. */
  host: string;
  literal: boolean;
  port: number;
  secure: boolean;
  /** Whose connection it is: lookups are bounded per group. */
  group: string;
}

export interface ConnectorOptions {
  policy: AddressPolicy;
  lookup: Lookup;
  secureContext: SecureContext;
  /** Absent: connections are direct. */
  proxy?: EgressProxy | undefined;
}

export interface Connected {
  socket: Socket;
  address: string;
  dnsMs: number | null;
  connectMs: number;
  tlsMs: number | null;
}

type Done = (failure: OutboundFailure | null, connected: Connected | null) => void;

/** RFC 8305's pause before the next address is tried as well, if the first has not responded yet. */
const NEXT_ADDRESS_AFTER_MS = 250;
const ADDRESSES_TRIED_MAX = 6;

/**
 * Opens the one kind of socket this product opens outwards: looks the name up, refuses it if any of its addresses is
 * refused, then connects to an approved address by number, so that no second lookup can say otherwise, or has the egress
 * proxy do that. `done` is called once, never synchronously, and never after `cancel`.
 */
export class Connecting {
  phase: "lookup-queued" | "lookup" | "proxy" | "tunnel" | "connect" | "tls" = "lookup";
  readonly #target: ConnectTarget;
  readonly #options: ConnectorOptions;
  readonly #done: Done;
  readonly #open = new Set<Socket>();
  readonly #canceled = new AbortController();
  #ended = false;
  #addresses: string[] = [];
  #nextIndex = 0;
  #nextTimer: NodeJS.Timeout | undefined;
  #dnsMs: number | null = null;
  #connectStartedAt = 0;

  constructor(target: ConnectTarget, options: ConnectorOptions, done: Done) {
    this.#target = target;
    this.#options = options;
    this.#done = done;
    void this.#start();
  }

  cancel(): void {
    this.#ended = true;
    this.#canceled.abort();
    this.#destroyOpen();
  }

  async #start(): Promise<void> {
    const startedAt = performance.now();
    const { host, literal } = this.#target;
    let addresses: string[];
    try {
      // The await on the literal's path keeps the promise of never calling back synchronously.
      addresses = literal ? await [host] : await this.#lookup(host);
    } catch (error) {
      this.#fail(lookupFailure(error));
      return;
    }
    if (this.#ended) return;
    if (!literal) this.#dnsMs = performance.now() - startedAt;
    if (addresses.length === 0) {
      this.#fail(new OutboundFailure("dns", "the host name does not resolve"));
      return;
    }
    if (!addresses.every((address) => this.#options.policy.check(address).allowed)) {
      this.#fail(refusedAddress());
      return;
    }
    this.phase = this.#options.proxy ? "proxy" : "connect";
    this.#addresses = addresses.slice(0, ADDRESSES_TRIED_MAX);
    this.#connectStartedAt = performance.now();
    this.#tryNext();
  }

  async #lookup(host: string): Promise<string[]> {
    const found = await this.#options.lookup(host, {
      group: this.#target.group,
      signal: this.#canceled.signal,
      onQueued: () => {
        this.phase = "lookup-queued";
      },
      onStarted: () => {
        this.phase = "lookup";
      },
    });
    return found.map(({ address }) => address);
  }

  #tryNext(): void {
    clearTimeout(this.#nextTimer);
    const address = this.#addresses[this.#nextIndex++];
    if (address === undefined) return;
    const { proxy } = this.#options;
    const { host, port } = proxy ?? { host: address, port: this.#target.port };
    const socket = netConnect({ host, port, noDelay: true });
    this.#open.add(socket);
    socket.once("connect", () => (proxy ? this.#tunnel(socket, address, proxy) : this.#tcpConnected(socket, address)));
    socket.once("error", (error) =>
      proxy ? this.#fail(proxyUnreachable(proxy, error)) : this.#tcpFailed(socket, error),
    );
    if (this.#nextIndex < this.#addresses.length) {
      this.#nextTimer = setTimeout(() => this.#tryNext(), NEXT_ADDRESS_AFTER_MS);
    }
  }

  #tcpFailed(socket: Socket, error: Error): void {
    this.#addressFailed(socket, connectFailure(error));
  }

  #addressFailed(socket: Socket, failure: OutboundFailure): void {
    this.#open.delete(socket);
    if (this.#ended) return;
    if (this.#nextIndex < this.#addresses.length) this.#tryNext();
    else if (this.#open.size === 0) this.#fail(failure);
  }

  #tunnel(socket: Socket, address: string, proxy: EgressProxy): void {
    socket.removeAllListeners("error");
    if (this.phase === "proxy") this.phase = "tunnel";
    requestTunnel(socket, proxy, { address, port: this.#target.port }, (failure) => {
      if (this.#ended) return destroyQuietly(socket);
      if (failure === null) return this.#addressConnected(socket, address);
      destroyQuietly(socket);
      if (failure.detail.code === "proxy") this.#fail(failure);
      else this.#addressFailed(socket, failure);
    });
  }

  #tcpConnected(socket: Socket, address: string): void {
    // A second check, before a byte is written, of what the kernel says it is connected to.
    const remote = socket.remoteAddress;
    if (remote === undefined || !this.#options.policy.check(remote).allowed) {
      this.#open.delete(socket);
      destroyQuietly(socket);
      this.#fail(
        remote === undefined ? connectFailure(Object.assign(new Error(), { code: "ECONNRESET" })) : refusedAddress(),
      );
      return;
    }
    this.#addressConnected(socket, address);
  }

  #addressConnected(socket: Socket, address: string): void {
    this.#open.delete(socket);
    this.#destroyOpen();
    socket.removeAllListeners("error");
    const connectMs = performance.now() - this.#connectStartedAt;
    const connected: Connected = { socket, address, dnsMs: this.#dnsMs, connectMs, tlsMs: null };
    if (this.#target.secure) this.#handshake(connected);
    else this.#succeed(connected);
  }

  #handshake(connected: Connected): void {
    this.phase = "tls";
    const startedAt = performance.now();
    const { secureContext } = this.#options;
    const secured = startClientTls(connected.socket, this.#target.host, { secureContext, ALPNProtocols: ["http/1.1"] });
    this.#open.add(secured);
    secured.once("error", (error) => {
      this.#open.delete(secured);
      this.#fail(tlsFailure(error));
    });
    secured.once("secureConnect", () => {
      this.#open.delete(secured);
      secured.removeAllListeners("error");
      this.#succeed({ ...connected, socket: secured, tlsMs: performance.now() - startedAt });
    });
  }

  #succeed(connected: Connected): void {
    if (this.#ended) {
      destroyQuietly(connected.socket);
      return;
    }
    this.#ended = true;
    connected.socket.setKeepAlive(true, 60_000);
    this.#done(null, connected);
  }

  #fail(failure: OutboundFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#destroyOpen();
    this.#done(failure, null);
  }

  #destroyOpen(): void {
    clearTimeout(this.#nextTimer);
    for (const socket of this.#open) destroyQuietly(socket);
    this.#open.clear();
  }
}

/** One connection; where the signal aborts first, it is canceled and rejects with `tooLate()`. */
export function openConnection(
  target: ConnectTarget,
  options: ConnectorOptions,
  { signal, tooLate }: { signal: AbortSignal; tooLate: () => OutboundFailure },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(tooLate());
    const connecting = new Connecting(target, options, (failure, connected) => {
      signal.removeEventListener("abort", cancel);
      if (connected) resolve(connected.socket);
      else reject(failure);
    });
    function cancel(): void {
      connecting.cancel();
      reject(tooLate());
    }
    signal.addEventListener("abort", cancel, { once: true });
  });
}

function refusedAddress(): OutboundFailure {
  return new OutboundFailure("refused_address", "the destination is a private or reserved address");
}

function destroyQuietly(socket: Socket): void {
  socket.on("error", () => {});
  socket.destroy();
}
