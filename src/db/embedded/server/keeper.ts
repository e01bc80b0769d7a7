import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Logger } from "../../../core/logger.ts";
import { Deadline } from "../host/wait.ts";
import type { Connected } from "./bring-up.ts";
import { tryConnect } from "./connect.ts";
import { type ConnectOptions, connectAsOwner, OWNER_NAME, shutOutUsers, takeOwnership } from "./ownership.ts";
import { runningPostmaster } from "./pid-file.ts";
import { stopPostmaster } from "./postmaster.ts";

const BACKOFF_MS_MIN = 50;
const BACKOFF_MS_MAX = 3_000;
/** While it fails again and again (a full disk), say so this often, not at every try. */
const REMINDER_MS = 30_000;
/**
 * How long a finishing command waits for others that are attached to the server it started, before it leaves it to
 * them. Shorter than a starting server waits for the ownership.
 */
const USERS_WAIT_MS = 2_000;

/**
 * Keeps an owned server running. The owner's connection is the signal: it ends when the postmaster dies, however that
 * happens and by whatever process it was started. Then the server is started again, without limit, until we close.
 */
export class Keeper {
  readonly #options: ConnectOptions;
  readonly #logger: Logger;
  #client: Client;
  #owned = true;
  #closing = false;
  #recovering: Promise<void> = Promise.resolve();

  constructor(owned: Connected, options: ConnectOptions, logger: Logger) {
    this.#options = { ...options, socketDir: owned.socketDir, report: () => {}, cancelled: () => this.#closing };
    this.#logger = logger;
    this.#client = this.#watch(owned.client);
  }

  /** Stops the server. A command that started it for itself (`spareUsers`) leaves it to others who still use it. */
  async close(options: { spareUsers: boolean }): Promise<void> {
    this.#closing = true;
    await this.#recovering;
    if (await this.#mayStop(options)) await stopPostmaster(this.#options.layout.cluster);
    else this.#logger.info("another process uses the embedded database, leaving it running");
    await this.#client.end().catch(() => {});
  }

  async #mayStop({ spareUsers }: { spareUsers: boolean }): Promise<boolean> {
    if (!this.#owned) return this.#unowned();
    keepProcessAlive(this.#client);
    // A lost connection means that the server is going down anyway.
    return spareUsers ? shutOutUsers(this.#client, new Deadline(USERS_WAIT_MS)).catch(() => true) : true;
  }

  /** We close while the server was unavailable. Another process may own it by now. */
  async #unowned(): Promise<boolean> {
    const { cluster, account } = this.#options.layout;
    const running = await runningPostmaster(cluster);
    if (!running) return true;
    const attempt = await tryConnect(running.socketDir, account, OWNER_NAME);
    if (attempt.kind !== "ready") return true;
    this.#client = attempt.client;
    return takeOwnership(attempt.client, new Deadline(0)).catch(() => true);
  }

  #watch(client: Client): Client {
    client.once("end", () => {
      this.#owned = false;
      if (!this.#closing) this.#recovering = this.#recover();
    });
    letProcessExit(client);
    return client;
  }

  async #recover(): Promise<void> {
    const startedAt = performance.now();
    this.#logger.warn({ cluster: this.#options.layout.cluster }, "the embedded database ended, restarting it");
    let remindAt = 0;
    for (let backoffMs = BACKOFF_MS_MIN; !this.#closing; backoffMs = Math.min(2 * backoffMs, BACKOFF_MS_MAX)) {
      try {
        this.#client = this.#watch((await connectAsOwner(this.#options)).client);
        this.#owned = true;
        const postmasterPid = (await runningPostmaster(this.#options.layout.cluster))?.pid;
        const tookMs = Math.round(performance.now() - startedAt);
        this.#logger.info({ postmasterPid, tookMs }, "the embedded database runs again");
        return;
      } catch (error) {
        if (this.#closing) return;
        if (performance.now() >= remindAt) {
          this.#logger.error({ reason: (error as Error).message }, "the embedded database does not start, retrying");
          remindAt = performance.now() + REMINDER_MS;
        }
        await sleep(backoffMs);
      }
    }
  }
}

/** Missing from @types/pg. */
type ReferencedClient = Client & { ref(): void; unref(): void };

/** An idle connection must not keep a process alive that has nothing else to do. */
export const letProcessExit = (client: Client): void => (client as ReferencedClient).unref();

export const keepProcessAlive = (client: Client): void => (client as ReferencedClient).ref();
