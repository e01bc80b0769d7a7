import type { AddressInfo } from "node:net";
import type { SMTPServer, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from "smtp-server";
import type { Logger } from "../../core/logger.ts";
import type { InboundOptions } from "../inbound/ingest.ts";
import { type BoundKeeper, createBoundKeeper } from "./bounds.ts";
import { findRecipient, type Recipient } from "./recipients.ts";
import { type Addressed, createStoreForMailbox, Refusal, type StoreForMailbox } from "./store.ts";

interface TlsFiles {
  cert: string;
  key: string;
}

interface ReceiverOptions {
  protocol: "smtp" | "lmtp";
  host: string;
  port: number;
  inbound: InboundOptions;
  mailBytesMax: number;
  /** Null: STARTTLS is not offered. */
  tls: TlsFiles | null;
  logger: Logger;
  /** False: this node is too old for the database. */
  mayWrite: () => boolean;
}

export interface Receiver {
  port: number;
  /** A certificate that was renewed. */
  setTls(tls: TlsFiles): void;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 500;
const CONNECTIONS_PER_ADDRESS_MAX = 20;
const RECIPIENTS_MAX = 100;
/** In one connection: who asks for more is looking for addresses. */
const UNKNOWN_MAX = 20;
/** Of all mails that are being received: at least two of the largest. */
const HELD_BYTES_MIN = 134_217_728;
const IDLE_MS_MAX = 60_000;
const DATA_MS_MAX = 600_000;
const CLOSE_MS_MAX = 5_000;

/** What is known of a connection; kept until it is closed. */
interface Visit {
  mailboxes: Map<string, Recipient>;
  unknown: number;
  /** Null: it was one too many. */
  leave: (() => void) | null;
}

interface Receiving {
  options: ReceiverOptions;
  bounds: BoundKeeper;
  store: StoreForMailbox;
  visits: WeakMap<SMTPServerSession, Visit>;
}

/** Takes mail for the mailboxes whose `inbound` is of type smtp, and for nobody else. It relays nothing. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { inbound, logger, mailBytesMax } = options;
  const receiving: Receiving = {
    options,
    bounds: createBoundKeeper({
      heldBytesMax: Math.max(HELD_BYTES_MIN, 2 * mailBytesMax),
      connectionsPerAddressMax: CONNECTIONS_PER_ADDRESS_MAX,
    }),
    store: createStoreForMailbox(inbound, logger),
    visits: new WeakMap(),
  };
  const inProgress = new Set<Promise<unknown>>();
  const { SMTPServer } = await import("smtp-server");
  const server = new SMTPServer(settingsOf(receiving, inProgress));
  // A client that disconnects, or refuses the certificate, is nothing that anybody here can change.
  server.on("error", (error) => logger.debug({ err: error.message }, "a connection of the mail receiver failed"));
  const port = await listen(server, options);
  logger.info({ protocol: options.protocol, port }, "receiving mail");
  return {
    port,
    setTls: (tls) => server.updateSecureContext(tls),
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.allSettled(inProgress);
    },
  };
}

function settingsOf(receiving: Receiving, inProgress: Set<Promise<unknown>>): SMTPServerOptions {
  const { protocol, tls, mailBytesMax } = receiving.options;
  return {
    ...(tls ?? {}),
    lmtp: protocol === "lmtp",
    banner: "Parley",
    size: mailBytesMax,
    rejectOversized: true,
    authOptional: true,
    disabledCommands: ["AUTH", ...(tls ? [] : ["STARTTLS"])],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true,
    maxClients: CONNECTIONS_MAX,
    maxRecipients: RECIPIENTS_MAX,
    socketTimeout: IDLE_MS_MAX,
    closeTimeout: CLOSE_MS_MAX,
    onConnect: (session, done) => respond(done, async () => connect(receiving, session)),
    onRcptTo: ({ address }, session, done) => respond(done, () => addRecipient(receiving, session, address)),
    onData(stream, session, done) {
      const work = receive(receiving, stream, session);
      inProgress.add(work);
      work.then((results) => done(...responseTo(protocol, results))).finally(() => inProgress.delete(work));
    },
    onClose(session) {
      receiving.visits.get(session)?.leave?.();
      receiving.visits.delete(session);
    },
  };
}

/** LMTP has a response for each recipient. SMTP has one: the sender repeats the mail, which is stored once. */
function responseTo(protocol: "smtp" | "lmtp", results: (Refusal | null)[]): [Error | null, (Error | string)[]?] {
  if (protocol === "lmtp") return [null, results.map((refusal) => refusal ?? "2.0.0 Stored")];
  return [results.find((refusal) => refusal !== null) ?? null];
}

function respond(done: (error?: Error | null) => void, work: () => Promise<void>): void {
  work().then(
    () => done(),
    (error: unknown) =>
      done(error instanceof Refusal ? error : new Refusal(451, "4.3.0 Something is wrong here. Try again later.")),
  );
}

function connect({ bounds, visits }: Receiving, session: SMTPServerSession): void {
  const leave = bounds.enter(session.remoteAddress);
  visits.set(session, { mailboxes: new Map(), unknown: 0, leave });
  if (!leave) throw new Refusal(421, "4.7.0 Too many connections from your address. Try again later.");
}

async function addRecipient(
  { options, visits }: Receiving,
  session: SMTPServerSession,
  address: string,
): Promise<void> {
  const visit = visits.get(session);
  if (!visit || visit.unknown >= UNKNOWN_MAX) throw new Refusal(421, "4.7.0 Too many unknown recipients.");
  if (!options.mayWrite()) throw new Refusal(451, "4.3.0 This server is being replaced. Try again later.");
  const mailbox = await findRecipient(options.inbound.db, address);
  if (!mailbox) {
    visit.unknown++;
    throw new Refusal(550, "5.1.1 There is no such mailbox here.");
  }
  if (mailbox.paused) throw new Refusal(450, "4.2.1 The mailbox is paused. Try again later.");
  visit.mailboxes.set(address, mailbox);
}

/** In the order of the recipients; null: stored. */
async function receive(
  receiving: Receiving,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<(Refusal | null)[]> {
  const addresses = session.envelope.rcptTo.map(({ address }) => address);
  const holding = receiving.bounds.hold();
  try {
    const raw = await readAll(stream, holding.add);
    const results = new Map<number, Promise<Refusal | null>>();
    const wanted = byMailbox(addresses, receiving.visits.get(session)?.mailboxes ?? new Map());
    for (const to of wanted.values()) results.set(to.mailbox.id, receiving.store(to, raw, session));
    return await Promise.all(
      addresses.map((address) => {
        const id = [...wanted.values()].find((to) => to.addresses.includes(address))?.mailbox.id;
        return (id !== undefined && results.get(id)) || new Refusal(451, "4.3.0 Try again later.");
      }),
    );
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(451, "4.3.0 The mail could not be read.");
    return addresses.map(() => refusal);
  } finally {
    holding.release();
  }
}

/** A mail to several addresses of one mailbox is stored once. */
function byMailbox(addresses: readonly string[], known: ReadonlyMap<string, Recipient>): Map<number, Addressed> {
  const found = new Map<number, Addressed>();
  for (const address of addresses) {
    const mailbox = known.get(address);
    if (!mailbox) continue;
    const to = found.get(mailbox.id) ?? { mailbox, addresses: [] };
    to.addresses.push(address);
    found.set(mailbox.id, to);
  }
  return found;
}

/** A connection that ends before the last dot rejects: half a mail is never stored. */
async function readAll(stream: SMTPServerDataStream, hold: (bytes: number) => boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const deadline = Date.now() + DATA_MS_MAX;
  let refusal: Refusal | null = null;
  for await (const piece of stream) {
    const chunk = piece as Buffer;
    if (refusal || stream.sizeExceeded) continue;
    if (!hold(chunk.length)) refusal = new Refusal(451, "4.3.1 Too much mail at once. Try again later.");
    else if (Date.now() > deadline) refusal = new Refusal(451, "4.4.2 The mail took too long.");
    else chunks.push(chunk);
    if (refusal) chunks.length = 0;
  }
  if (refusal) throw refusal;
  // The server itself refuses what is too large.
  if (stream.sizeExceeded) throw new Refusal(552, "5.3.4 The mail is too large.");
  return Buffer.concat(chunks);
}

function listen(server: SMTPServer, { host, port }: ReceiverOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = server.listen(port, host, () => resolve((listener.address() as AddressInfo).port));
    listener.once("error", reject);
  });
}
