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

/** For a program of the user that a command starts: it runs as it would in the same terminal. */
export const environmentForChildren = (): NodeJS.ProcessEnv => ({ ...process.env });
