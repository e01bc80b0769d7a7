import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { createCertificate } from "./certificates.ts";
import type { DebianPackage } from "./debian.ts";
import { freePort } from "./free-port.ts";
import { until } from "./wait.ts";

/** The name in the settings that we ship. */
export const PUBLIC_HOST = "parley.example.com";

const STOP_MS_MAX = 1_000;

export interface TlsProxy {
  /** A request by the public name, as a client elsewhere sends it. The body is sent in one piece. */
  send(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: Buffer },
  ): Promise<ProxyReply>;
  /** The protocol that a client which can do both agrees on with it. */
  protocol(): Promise<string | false | null>;
  close(): Promise<void>;
}

interface ProxyReply {
  status: number;
  response: IncomingMessage;
  /** The whole body; never resolves for a stream. */
  bytes(): Promise<Buffer>;
}

interface Place {
  folder: string;
  port: number;
  /** The node behind the proxy, as host:port. */
  node: string;
}

const shipped = (name: string): string => readFileSync(new URL(`../../deploy/proxy/${name}`, import.meta.url), "utf8");

/** nginx with the block that we ship, in front of this node. */
export function startNginx({ home, env }: DebianPackage, node: string): Promise<TlsProxy> {
  return start(node, ({ folder, port }) => {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join("\n");
    const block = shipped("nginx.conf")
      .replace("listen 443", `listen 127.0.0.1:${port}`)
      .replace("server 127.0.0.1:8080", `server ${node}`)
      .replaceAll("/etc/ssl/parley", folder);
    const head = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;\nevents {}\n`;
    writeFileSync(join(folder, "nginx.conf"), `${head}http {\naccess_log off;\n${temporary}\n${block}\n}\n`);
    const args = ["-e", `${folder}/error.log`, "-c", join(folder, "nginx.conf")];
    return spawn(join(home ?? "", "usr/sbin/nginx"), args, { env: { ...process.env, ...env } });
  });
}

/** Caddy with the block that we ship, and a certificate of ours instead of one that it would obtain. */
export function startCaddy({ home, env }: DebianPackage, node: string): Promise<TlsProxy> {
  return start(node, ({ folder, port }) => {
    const block = shipped("Caddyfile")
      .replace(`${PUBLIC_HOST} {`, `${PUBLIC_HOST}:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`)
      .replace("127.0.0.1:8080", node);
    const file = join(folder, "Caddyfile");
    writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${block}`);
    return spawn(join(home ?? "", "usr/bin/caddy"), ["run", "--config", file, "--adapter", "caddyfile"], {
      env: { ...process.env, ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
  });
}

async function start(node: string, launch: (place: Place) => ChildProcess): Promise<TlsProxy> {
  const folder = mkdtempSync(join(tmpdir(), "parley-proxy-"));
  const { ca, cert, key } = createCertificate(`DNS:${PUBLIC_HOST}`);
  writeFileSync(join(folder, "fullchain.pem"), cert);
  writeFileSync(join(folder, "privkey.pem"), key);
  const port = await freePort();
  const child = launch({ folder, port, node });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const target = { host: "127.0.0.1", port, servername: PUBLIC_HOST, ca };

  const send: TlsProxy["send"] = (method, path, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(
        { ...target, agent: false, method, path, headers: { host: PUBLIC_HOST, ...headers } },
        (response) => {
          response.on("error", () => {});
          resolve({ status: response.statusCode ?? 0, response, bytes: () => wholeOf(response) });
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });

  /** SIGTERM lets nginx end its workers; Caddy then waits for connections that are still open. */
  async function stop(): Promise<void> {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
    await ended;
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }

  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}: ${output}`);
    return (await send("GET", "/health/ready").catch(() => null))?.status === 200;
  };
  await until("the proxy leads to the node", isReady, { timeoutMs: 20_000 }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    send,
    protocol: () =>
      new Promise((resolve, reject) => {
        const socket = connect({ ...target, ALPNProtocols: ["h2", "http/1.1"] }, () => {
          resolve(socket.alpnProtocol);
          socket.destroy();
        });
        socket.on("error", reject);
      }),
    close: stop,
  };
}

async function wholeOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
