import { homedir } from "node:os";
import { join } from "node:path";
import { nearestName } from "../core/suggest.ts";
import { SETTINGS } from "./settings.ts";

export { SETTINGS } from "./settings.ts";

type Settings = typeof SETTINGS;
export type Config = {
  readonly [K in keyof Settings]:
    | ReturnType<Settings[K]["parse"]>
    | (null extends Settings[K]["fallback"] ? null : never);
};

/** Thrown with every wrong setting at once. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** Reads the settings from the environment, `overrides` first. An empty variable counts as absent. */
export function readConfig(overrides: NodeJS.ProcessEnv = {}): Config {
  const environment = { ...process.env, ...overrides };
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, { fallback, parse }]) => {
    const given = environment[name]?.trim() || fallback;
    if (given === null || given === undefined) return [name, null];
    try {
      return [name, parse(given)];
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}.`);
      return [name, null];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(entries) as Config;
}

interface UnknownSetting {
  readonly name: string;
  /** The setting that was probably meant; null when none is near. */
  readonly nearest: string | null;
}

/** Set for the project's own scripts and tests, not for the product. */
const NOT_SETTINGS = /^PARLEY_(TEST|PROOF|BENCH)/;
const PREFIX = /^PARLEY_/i;

/** Variables that look like settings of Parley but are not: most likely misspelt, and without effect. */
export function unknownSettings(environment: NodeJS.ProcessEnv = process.env): UnknownSetting[] {
  return Object.keys(environment)
    .filter((name) => PREFIX.test(name) && !Object.hasOwn(SETTINGS, name) && !NOT_SETTINGS.test(name))
    .map((name) => ({ name, nearest: nearestSetting(name) }));
}

/** Compared without the prefix: it is the same in nearly all names, and some settings have none. */
function nearestSetting(name: string): string | null {
  const byShortName = new Map(Object.keys(SETTINGS).map((known) => [known.replace(PREFIX, ""), known]));
  const short = nearestName(name.toUpperCase().replace(PREFIX, ""), [...byShortName.keys()]);
  return short === null ? null : (byShortName.get(short) ?? null);
}

export const explainUnknown = ({ name, nearest }: UnknownSetting): string =>
  `${name} is not a setting of Parley and has no effect.${nearest ? ` Did you mean ${nearest}?` : ""}`;

/** Where commands keep what they remember of servers elsewhere: an explicit data directory, or the user's own (XDG). */
export function userStateDirectory(): string {
  const { PARLEY_DATA_DIR, XDG_STATE_HOME } = process.env;
  if (PARLEY_DATA_DIR?.trim()) return join(PARLEY_DATA_DIR.trim(), "cli");
  return join(XDG_STATE_HOME?.trim() || join(homedir(), ".local", "state"), "parley");
}

/** For a program of the user that a command starts: it runs as it would in the same terminal. */
export const environmentForChildren = (): NodeJS.ProcessEnv => ({ ...process.env });

/** Whether the environment itself sets it: what is given explicitly wins over what a command found. */
export const isGiven = (name: keyof Config): boolean => Boolean(process.env[name]?.trim());
