import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** What the Dockerfile makes, in a plain directory. What belongs to the base image (tini, the account) is left out. */
export interface Image {
  directory: string;
  /** Of the Dockerfile's ENV. */
  env: Record<string, string>;
  /** The program and its first arguments, without tini. */
  entry: string[];
  /** What runs where a service names no command. */
  command: string[];
  /** The command of HEALTHCHECK. */
  healthCheck: string[];
  remove(): void;
}

interface Step {
  instruction: string;
  text: string;
}

const ROOT = new URL("../../", import.meta.url).pathname;

/** Builds it as Docker would: the context without what .dockerignore names, then each COPY and RUN of the build stages. */
export async function buildImage(): Promise<Image> {
  const stages = readStages();
  const last = stages.at(-1) ?? [];
  const directory = mkdtempSync(join(tmpdir(), "parley-image-"));
  // The services run under another account where we are root, as in a container.
  chmodSync(directory, 0o755);
  for (const { instruction, text } of stages.slice(0, -1).flat()) {
    if (instruction === "COPY") copyFromContext(directory, text.split(" "));
    if (instruction === "RUN") await runIn(directory, text);
  }
  const [program, ...rest] = json(last, "ENTRYPOINT");
  return {
    directory,
    env: environmentOf(last),
    entry: program === "tini" ? rest.filter((word) => word !== "--") : [program ?? "", ...rest],
    command: json(last, "CMD"),
    healthCheck: json(last, "HEALTHCHECK"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The instructions of each stage. */
function readStages(): Step[][] {
  const lines = readFileSync(join(ROOT, "Dockerfile"), "utf8")
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: Step[][] = [];
  for (const line of lines) {
    const [, instruction = "", text = ""] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (instruction === "FROM") stages.push([]);
    else stages.at(-1)?.push({ instruction, text });
  }
  return stages;
}

/** The words of an instruction that is written as a list. */
function json(steps: Step[], wanted: string): string[] {
  const text = steps.find(({ instruction }) => instruction === wanted)?.text ?? "[]";
  return JSON.parse(text.slice(text.indexOf("[")));
}

function environmentOf(steps: Step[]): Record<string, string> {
  const words = steps.filter(({ instruction }) => instruction === "ENV").flatMap(({ text }) => text.split(/\s+/));
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]));
}

function copyFromContext(directory: string, words: string[]): void {
  const target = join(directory, words.at(-1) ?? "");
  const ignored = ignoredPaths();
  for (const source of words.slice(0, -1)) {
    const from = join(ROOT, source);
    const to = source === "." ? target : join(target, source.slice(source.lastIndexOf("/") + 1));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true, filter: (path) => !ignored(relative(ROOT, path)) });
  }
}

/** In the form of .dockerignore: `**` is any number of folders, `*` any part of one name. */
function ignoredPaths(): (path: string) => boolean {
  const patterns = readFileSync(join(ROOT, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) =>
      line
        .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
        .replaceAll("**/", "(?:.*/)?")
        .replaceAll(/(?<![.)])\*/g, "[^/]*"),
    );
  const any = new RegExp(`^(?:${patterns.join("|")})$`);
  return (path) => any.test(path);
}

async function runIn(directory: string, command: string): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_prefer_offline: "true" };
  const child = spawn("sh", ["-c", command], { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-20_000);
    });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`\`${command}\` ended with ${code}:\n${output}`);
  if (/Installing dependencies/.test(output)) throw new Error(`\`${command}\` installed once more:\n${output}`);
}
