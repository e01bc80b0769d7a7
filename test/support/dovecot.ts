import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { until } from "./wait.ts";

const { ensureDovecot, DOVECOT_MISSING } = (await import(
  new URL("../../scripts/lib/dovecot.mjs", import.meta.url).href
)) as { ensureDovecot: () => Promise<string | null>; DOVECOT_MISSING: string };

/** Null: the tests that need it are skipped, by a name that says how to install it. */
export const dovecotProgram = await ensureDovecot();
export const withDovecot = (title: string): string => (dovecotProgram ? title : `${title} (${DOVECOT_MISSING})`);

/** A real IMAP server of this machine's Debian, with its own settings, folders and port. */
export interface Dovecot {
  port: number;
  password: string;
  /** Puts a mail into a folder as a delivery does, now or at another time; returns the name of its file. */
  deliver(user: string, raw: string, folder?: string, at?: Date): string;
  /** The files of the mails of a folder. */
  mailsOf(user: string, folder?: string): string[];
  removeMail(user: string, file: string): void;
  /** The folder gets other numbers, as after a restored backup. */
  renumber(user: string): Promise<void>;
  /** Ends it with all its connections. */
  stop(): Promise<void>;
  start(): Promise<void>;
  log(): string;
  close(): Promise<void>;
}

interface DovecotOptions {
  /** Where access tokens are looked up, with the token at the end of the address. */
  tokenInfoUrl?: string;
}

const PASSWORD = "a_password_for_tests";
const NOBODY = 65_534;

export async function startDovecot({ tokenInfoUrl }: DovecotOptions = {}): Promise<Dovecot> {
  const directory = mkdtempSync(join(tmpdir(), "parley-dovecot-"));
  const asRoot = process.getuid?.() === 0;
  const uid = asRoot ? NOBODY : (process.getuid?.() ?? NOBODY);
  const gid = asRoot ? Number(execFileSync("id", ["-g", "nobody"]).toString()) : (process.getgid?.() ?? NOBODY);
  const own = (path: string) => {
    if (asRoot) chownSync(path, uid, gid);
  };
  own(directory);
  const port = await freePort();
  const config = join(directory, "dovecot.conf");
  const user = execFileSync("id", ["-un", String(uid)])
    .toString()
    .trim();
  const group = execFileSync("id", ["-gn", String(uid)])
    .toString()
    .trim();
  writeFileSync(config, settingsOf({ directory, port, user, group, uid, gid, hasTokens: tokenInfoUrl !== undefined }));
  if (tokenInfoUrl !== undefined)
    writeFileSync(
      join(directory, "oauth2.conf"),
      `tokeninfo_url = ${tokenInfoUrl}\nintrospection_mode = auth\nusername_attribute = email\n`,
    );
  let child: ChildProcess | null = null;
  let counter = 0;

  const folderOf = (name: string, folder = "INBOX"): string => {
    const home = join(directory, "mail", name, "Maildir", ...(folder === "INBOX" ? [] : [`.${folder}`]));
    for (const part of ["", "new", "cur", "tmp"]) {
      const path = join(home, part);
      if (mkdirSync(path, { recursive: true })) execOwn(directory, uid, gid, asRoot);
    }
    return home;
  };

  const dovecot: Dovecot = {
    port,
    password: PASSWORD,
    deliver(name, raw, folder, at) {
      const home = folderOf(name, folder);
      const file = `${Math.floor(Date.now() / 1_000)}.M${String(++counter).padStart(8, "0")}P${process.pid}.test`;
      writeFileSync(join(home, "tmp", file), raw);
      if (at) utimesSync(join(home, "tmp", file), at, at);
      own(join(home, "tmp", file));
      renameSync(join(home, "tmp", file), join(home, "new", file));
      return file;
    },
    mailsOf: (name, folder) => ["new", "cur"].flatMap((part) => readdirSync(join(folderOf(name, folder), part))),
    removeMail(name, file) {
      const home = folderOf(name);
      for (const part of ["new", "cur"])
        for (const found of readdirSync(join(home, part)))
          if (found.startsWith(file)) rmSync(join(home, part, found), { force: true });
    },
    async renumber(name) {
      await dovecot.stop();
      for (const file of readdirSync(folderOf(name)))
        if (/^dovecot/.test(file)) rmSync(join(folderOf(name), file), { force: true, recursive: true });
      await dovecot.start();
    },
    async stop() {
      const running = child;
      child = null;
      if (!running || running.exitCode !== null) return;
      const ended = new Promise((resolve) => running.once("exit", resolve));
      running.kill("SIGTERM");
      await ended;
    },
    async start() {
      child = spawn(dovecotProgram as string, ["-F", "-c", config], {
        stdio: "ignore",
        ...(asRoot ? { uid, gid } : {}),
      });
      await until(`Dovecot greets\n${dovecot.log()}`, () => greets(port), { timeoutMs: 15_000 });
    },
    log() {
      try {
        return readFileSync(join(directory, "log"), "utf8");
      } catch {
        return "";
      }
    },
    async close() {
      await dovecot.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  await dovecot.start();
  return dovecot;
}

function execOwn(directory: string, uid: number, gid: number, asRoot: boolean): void {
  if (asRoot) execFileSync("chown", ["-R", `${uid}:${gid}`, join(directory, "mail")]);
}

interface Settings {
  directory: string;
  port: number;
  user: string;
  group: string;
  uid: number;
  gid: number;
  hasTokens: boolean;
}

const settingsOf = ({ directory, port, user, group, uid, gid, hasTokens }: Settings): string => `
base_dir = ${directory}/run
state_dir = ${directory}/state
log_path = ${directory}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain${hasTokens ? " xoauth2 oauthbearer" : ""}
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 1
mail_max_userip_connections = 1000
mail_location = maildir:~/Maildir
${hasTokens ? `passdb {\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = ${directory}/oauth2.conf\n}` : ""}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${directory}/mail/%u
}
namespace inbox {
  inbox = yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;

function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once("data", (text) => end(text.toString().startsWith("* OK")));
    socket.once("error", () => end(false));
    socket.setTimeout(1_000, () => end(false));
  });
}
