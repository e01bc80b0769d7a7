import { Client, type Dispatcher } from "undici";
import { type Connected, Connecting, type ConnectorOptions, type ConnectTarget } from "./connector.ts";
import { meterReads, ReadMeter } from "./metered-reads.ts";

const HEADERS_BYTES_MAX = 16 * 1024;
/** All bytes off the wire for one response: limits what the other limits cannot see, such as chunk extensions. */
export const WIRE_BYTES_MAX = 512 * 1024;
/** Exchanges that wait for a connection to one origin. Callers bound their own concurrency; this is the last limit. */
const QUEUED_MAX = 10_000;

/** The connections to all origins, also to those evicted from the cache, and how many exchanges wait for one. */
export interface AllConnections {
  open: Set<Connection>;
  queued: number;
  closing: Set<Promise<void>>;
}

/** A request and its response, as a connection carries them. */
export interface PooledExchange extends Dispatcher.DispatchHandler {
  readonly request: Dispatcher.DispatchOptions;
  /** Called by the connection that took this exchange, again when it is sent a second time. */
  assigned(connection: Connection): void;
  /** The queue of the pool has no room for it. */
  rejectedByFullQueue(): void;
  /** The response has more bytes than allowed in all, framing included. */
  tooMuchRead(): void;
  abort(message: string): void;
}

interface OriginPoolOptions {
  connector: ConnectorOptions;
  allConnections: AllConnections;
  connectionsMax: number;
}

/**
 * The connections to one origin. Built on undici's Client rather than its Pool: after an aborted request a Pool's
 * client connects again only to drop that request (a second socket to every destination that hangs), and a Pool does
 * not say which socket a request went over, so no timings and no address. Here a connection that failed is never used again.
 */
export class OriginPool {
  readonly #target: ConnectTarget;
  readonly #origin: string;
  readonly #options: OriginPoolOptions;
  readonly #idle: Connection[] = [];
  readonly #queue: PooledExchange[] = [];
  #connections = 0;
  #retired = false;

  constructor(origin: string, target: ConnectTarget, options: OriginPoolOptions) {
    this.#origin = origin;
    this.#target = target;
    this.#options = options;
  }

  /** The connection used last is taken first, so that the surplus of a burst goes idle and closes. */
  submit(exchange: PooledExchange): void {
    const idle = this.#idle.pop();
    if (idle !== undefined) idle.run(exchange);
    else this.submitFresh(exchange);
  }

  submitFresh(exchange: PooledExchange): void {
    const { connector, allConnections, connectionsMax } = this.#options;
    if (this.#connections >= connectionsMax) {
      if (this.#queue.length >= QUEUED_MAX) {
        exchange.rejectedByFullQueue();
        return;
      }
      this.#queue.push(exchange);
      allConnections.queued++;
      return;
    }
    const connection = new Connection(this.#origin, this.#target, connector, (closed) => this.#closed(closed));
    this.#connections++;
    allConnections.open.add(connection);
    connection.run(exchange);
  }

  withdraw(exchange: PooledExchange): void {
    const index = this.#queue.indexOf(exchange);
    if (index < 0) return;
    this.#queue.splice(index, 1);
    this.#options.allConnections.queued--;
  }

  /** After a complete response. */
  release(connection: Connection): void {
    connection.exchange = null;
    const next = this.#next();
    if (next !== undefined) connection.run(next);
    else if (this.#retired) this.discard(connection);
    else this.#idle.push(connection);
  }

  /** After anything else. */
  discard(connection: Connection): void {
    const { allConnections } = this.#options;
    if (!allConnections.open.delete(connection)) return;
    this.#connections--;
    connection.exchange = null;
    const closing = connection.destroy().finally(() => allConnections.closing.delete(closing));
    allConnections.closing.add(closing);
    const next = this.#next();
    if (next !== undefined) this.submitFresh(next);
  }

  /** Closes what is idle now and the rest as it finishes; what was queued is still served. */
  retire(): void {
    this.#retired = true;
    for (const connection of this.#idle.splice(0)) this.discard(connection);
  }

  #next(): PooledExchange | undefined {
    const next = this.#queue.shift();
    if (next !== undefined) this.#options.allConnections.queued--;
    return next;
  }

  /** The receiver, or the keep-alive time, closed the socket. A connection in use reports the loss through its exchange. */
  #closed(connection: Connection): void {
    const index = this.#idle.indexOf(connection);
    if (index < 0) return;
    this.#idle.splice(index, 1);
    this.discard(connection);
  }
}

/** One undici Client: at most one socket and one exchange at a time. */
export class Connection {
  exchange: PooledExchange | null = null;
  connected: Connected | null = null;
  #fresh = false;
  #connecting: Connecting | null = null;
  readonly #meter = new ReadMeter(WIRE_BYTES_MAX, () => this.exchange?.tooMuchRead());
  readonly #client: Client;

  constructor(origin: string, target: ConnectTarget, options: ConnectorOptions, onClosed: (self: Connection) => void) {
    this.#client = new Client(origin, {
      pipelining: 1,
      // The exchange's own deadline is the only clock; undici's would need a timer each and are coarse by half a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: HEADERS_BYTES_MAX,
      // Receivers close idle connections after 5 s (Node) or more; we close first. A Keep-Alive hint is honoured up to 10 s.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 10_000,
      keepAliveTimeoutThreshold: 1_000,
      connect: (_options, callback) => {
        this.connected = null;
        this.#connecting = new Connecting(target, options, (failure, connected) => {
          this.#connecting = null;
          if (connected === null) {
            callback(failure ?? new Error("no socket"), null);
            return;
          }
          this.connected = connected;
          this.#meter.rest = null;
          meterReads(connected.socket, this.#meter);
          this.#fresh = true;
          callback(null, connected.socket);
        });
      },
    });
    this.#client.on("disconnect", () => onClosed(this));
  }

  run(exchange: PooledExchange): void {
    this.exchange = exchange;
    exchange.assigned(this);
    this.#client.dispatch(exchange.request, exchange);
  }

  /** Says whether the socket has carried an exchange before. */
  startExchange(): boolean {
    const reused = !this.#fresh;
    this.#fresh = false;
    this.#meter.bytes = 0;
    return reused;
  }

  connectingTo(): string {
    switch (this.#connecting?.phase) {
      case "lookup-queued":
      case "lookup":
        return "looking up the host name";
      case "proxy":
        return "connecting to the egress proxy";
      case "tunnel":
        return "waiting for the egress proxy to connect";
      case "tls":
        return "in the TLS handshake";
      default:
        return "connecting";
    }
  }

  /** No question has been sent to a name server yet. */
  waitsForLookup(): boolean {
    return this.#connecting?.phase === "lookup-queued";
  }

  /** The egress proxy has not even accepted the connection. */
  waitsForProxy(): boolean {
    return this.#connecting?.phase === "proxy";
  }

  unsentBytes(): number {
    return this.connected?.socket.writableLength ?? 0;
  }

  /** Resolves when the socket is closed. */
  async destroy(): Promise<void> {
    this.#connecting?.cancel();
    await this.#client.destroy();
  }
}
