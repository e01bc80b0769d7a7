import { type ChildProcess, spawn } from "node:child_process";
import type { Socket as DatagramSocket } from "node:dgram";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A network of its own on this machine, in which every address there is, public or private, leads to our sockets. */
export interface NetworkNamespace {
  /** Put before a command, it runs that command inside. */
  enter: readonly string[];
  /** Sockets that are inside and belong to this process. */
  listen(host: string, port: number): Promise<Server>;
  bind(host: string, port: number): Promise<DatagramSocket>;
  connect(host: string, port: number): Promise<Socket>;
  /** An address out here that leads to a server inside. */
  reach(url: string): Promise<string>;
  close(): Promise<void>;
}

/** Where programs inside ask for names. */
export const NAMESERVER = "127.0.0.53";

/** `$0` is the folder with the two files; the rest is the program. Every address is local: that needs no interface. */
const SET_UP = `set -e
ip link set lo up
ip route add local 0.0.0.0/0 dev lo
ip -6 route add local ::/0 dev lo
mount --bind "$0/resolv.conf" /etc/resolv.conf
[ ! -e /etc/nsswitch.conf ] || mount --bind "$0/nsswitch.conf" /etc/nsswitch.conf
exec "$@"`;

const INSIDE = resolve(import.meta.dirname, "network-namespace-inside.mjs");
// Without root a user namespace, where the system lets everybody make one, gives the same power over the new network.
const AS_ROOT = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
const ENTER_AS_ROOT = AS_ROOT.length === 0 ? [] : ["--user", "--preserve-credentials"];

export async function openNetworkNamespace(): Promise<NetworkNamespace> {
  const directory = mkdtempSync(join(tmpdir(), "parley-network-"));
  writeFileSync(join(directory, "resolv.conf"), `nameserver ${NAMESERVER}\noptions timeout:1 attempts:2\n`);
  writeFileSync(join(directory, "nsswitch.conf"), "hosts: files dns\n");
  const program = ["sh", "-c", SET_UP, directory, process.execPath, INSIDE];
  const child = spawn("unshare", [...AS_ROOT, "--net", "--mount", ...program], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const opener = openerIn(child);
  const relays: Server[] = [];

  async function close(): Promise<void> {
    for (const relay of relays) relay.close();
    child.kill();
    await opener.ended;
    rmSync(directory, { recursive: true, force: true });
  }

  await opener.ready.catch(async (error) => {
    await close();
    throw error;
  });
  const connect = (host: string, port: number) => opener.open<Socket>("connect", host, port);
  return {
    enter: ["nsenter", ...ENTER_AS_ROOT, "--net", "--mount", `--target=${child.pid}`, "--"],
    listen: (host, port) => opener.open<Server>("listen", host, port),
    bind: (host, port) => opener.open<DatagramSocket>("bind", host, port),
    connect,
    async reach(url) {
      const { hostname, port } = new URL(url);
      const relay = createServer({ allowHalfOpen: true }, (outside) => {
        outside.on("error", () => outside.destroy());
        connect(hostname, Number(port)).then(
          (inside) => pipeBoth(outside, inside),
          () => outside.destroy(),
        );
      });
      relays.push(relay);
      await new Promise<void>((done) => relay.listen(0, "127.0.0.1", done));
      return `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
    },
    close,
  };
}

/** Asks the process inside for sockets and waits for each. */
function openerIn(child: ChildProcess) {
  const waiting = new Map<number, { done(socket: unknown): void; failed(error: Error): void }>();
  let asked = 0;
  let complaint = "";
  const expect = (id: number) =>
    new Promise<unknown>((done, failed) => {
      waiting.set(id, { done, failed });
    });
  const endAll = (reason: string) => {
    for (const { failed } of waiting.values()) failed(new Error(reason));
    waiting.clear();
  };
  child.stderr?.on("data", (chunk) => {
    complaint += chunk;
  });
  child.on("message", ({ id, error }: { id: number; error?: string }, socket) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asker?.done(socket);
    else asker?.failed(new Error(error));
  });
  const ended = new Promise<void>((done) => {
    child.once("error", (error) => {
      endAll(error.message);
      done();
    });
    child.once("close", () => {
      endAll(complaint.trim() || "the process inside the namespace has ended");
      done();
    });
  });
  return {
    ready: expect(0),
    ended,
    open<T>(kind: "listen" | "bind" | "connect", host: string, port: number): Promise<T> {
      const id = ++asked;
      child.send({ id, kind, host, port });
      return expect(id) as Promise<T>;
    },
  };
}

function pipeBoth(outside: Socket, inside: Socket): void {
  for (const [socket, other] of [
    [outside, inside],
    [inside, outside],
  ] as const) {
    socket.on("error", () => other.destroy());
    socket.on("close", () => other.destroy());
    socket.pipe(other);
  }
}
