import { describe, expect, it } from "vitest";
import { ConfigError, readConfig, SETTINGS } from "../../../src/config/index.ts";

/** Without whatever the machine's own environment holds. */
const NOTHING = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ""]));
const read = (given: Record<string, string> = {}) => readConfig({ ...NOTHING, ...given });
const problems = (given: Record<string, string>): string[] => {
  try {
    read(given);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
  return [];
};

describe("settings", () => {
  it("have the documented defaults", () => {
    expect(read()).toMatchObject({
      HOST: "127.0.0.1",
      PORT: 8080,
      DATABASE_URL: null,
      PARLEY_DATA_DIR: "./data",
      PARLEY_PUBLIC_URL: null,
      PARLEY_BOOTSTRAP_API_KEY: null,
      PARLEY_ALLOWED_CIDRS: [],
      PARLEY_RETRY_SCHEDULE: [5, 30, 120, 600, 1800, 3600, 7200, 21600, 43200, 86400],
      PARLEY_RATE_LIMIT_TIERS: {},
      PARLEY_TRUSTED_PROXIES: [],
      PARLEY_SECRET_KEY: null,
      PARLEY_LOG_LEVEL: "info",
      PARLEY_BODY_BYTES_MAX: 1_048_576,
    });
  });

  it("count as absent when empty or blank", () => {
    expect(read({ PORT: "  ", HOST: "" })).toMatchObject({ PORT: 8080, HOST: "127.0.0.1" });
  });

  it("become numbers, lists, addresses and switches", () => {
    const config = read({
      HOST: "0.0.0.0",
      PORT: "0",
      DATABASE_URL: "postgres://u:p@db/parley",
      PARLEY_PUBLIC_URL: "https://chat.example.com/x//",
      PARLEY_BOOTSTRAP_API_KEY: "0123456789abcdef0123456789abcdef",
      PARLEY_ALLOWED_CIDRS: "127.0.0.0/8, ::1 ,10.0.0.1",
      PARLEY_RETRY_SCHEDULE: "0, 0.5, 10",
      PARLEY_RATE_LIMIT_TIERS: "low=10/1, mine=unlimited",
      PARLEY_TRUSTED_PROXIES: "10.0.0.0/8",
      PARLEY_SECRET_KEY: `${"a".repeat(32)},${"b".repeat(32)}`,
      PARLEY_LOG_LEVEL: "DEBUG",
    });
    expect(config).toMatchObject({
      HOST: "0.0.0.0",
      PORT: 0,
      DATABASE_URL: "postgres://u:p@db/parley",
      PARLEY_PUBLIC_URL: "https://chat.example.com/x",
      PARLEY_ALLOWED_CIDRS: ["127.0.0.0/8", "::1/128", "10.0.0.1/32"],
      PARLEY_RETRY_SCHEDULE: [0, 0.5, 10],
      PARLEY_RATE_LIMIT_TIERS: { low: { requests: 10, windowSeconds: 1 }, mine: null },
      PARLEY_TRUSTED_PROXIES: ["10.0.0.0/8"],
      PARLEY_SECRET_KEY: ["a".repeat(32), "b".repeat(32)],
      PARLEY_LOG_LEVEL: "debug",
    });
  });

  it.each([
    ["PORT", "http"],
    ["PORT", "-1"],
    ["PORT", "65536"],
    ["PORT", "80.5"],
    ["DATABASE_URL", "mysql://x"],
    ["PARLEY_PUBLIC_URL", "chat.example.com"],
    ["PARLEY_PUBLIC_URL", "ftp://chat.example.com"],
    ["PARLEY_BOOTSTRAP_API_KEY", "x".repeat(31)],
    ["PARLEY_SECRET_KEY", "short"],
    ["PARLEY_SECRET_KEY", `${"a".repeat(32)},short`],
    ["PARLEY_ALLOWED_CIDRS", "everything"],
    ["PARLEY_ALLOWED_CIDRS", "10.0.0.0/99"],
    ["PARLEY_TRUSTED_PROXIES", "localhost"],
    ["PARLEY_RETRY_SCHEDULE", "5,soon"],
    ["PARLEY_RETRY_SCHEDULE", "-1"],
    ["PARLEY_RETRY_SCHEDULE", ","],
    ["PARLEY_RATE_LIMIT_TIERS", "low"],
    ["PARLEY_RATE_LIMIT_TIERS", "low=60"],
    ["PARLEY_RATE_LIMIT_TIERS", "low=0/60"],
    ["PARLEY_RATE_LIMIT_TIERS", "low=60/0"],
    ["PARLEY_RATE_LIMIT_TIERS", "=60/60"],
    ["PARLEY_RATE_LIMIT_TIERS", 'a"b=60/60'],
    ["PARLEY_BODY_BYTES_MAX", "1"],
    ["PARLEY_LOG_LEVEL", "loud"],
  ])("%s=%s is refused with a sentence that names it", (name, value) => {
    const found = problems({ [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${name} must .*\\.$`));
  });

  it("that are wrong are reported all at once", () => {
    expect(problems({ PORT: "x", PARLEY_LOG_LEVEL: "x", DATABASE_URL: "x" })).toHaveLength(3);
  });

  it("that are secret are never part of the sentence about them", () => {
    const secrets = Object.entries(SETTINGS).filter(([, setting]) => setting.secret);
    expect(secrets.map(([name]) => name).sort()).toEqual([
      "DATABASE_URL",
      "PARLEY_BACKUP_PASSPHRASE",
      "PARLEY_BOOTSTRAP_API_KEY",
      "PARLEY_DATABASE_DIRECT_URL",
      "PARLEY_EGRESS_PROXY",
      "PARLEY_KEY",
      "PARLEY_OIDC_CLIENT_SECRET",
      "PARLEY_SECRET_KEY",
      "PARLEY_SMTP_URL",
      "PARLEY_TRACES_HEADERS",
    ]);
    for (const [name] of secrets) expect(problems({ [name]: "hush-hush" }).join()).not.toContain("hush-hush");
  });

  it("each say what they are for", () => {
    for (const { about } of Object.values(SETTINGS)) expect(about).toMatch(/^[A-Z].*\.$/);
  });
});

describe("the issuer of identities", () => {
  it.each([
    "https://id.example.com",
    "https://id.example.com/realms/acme/",
    "http://localhost:9000",
    "http://id.localhost/",
    "http://127.0.0.1:9000/x",
    "http://127.8.8.8",
    "http://[::1]:9000",
  ])("may be %s, and stays as it is written", (url) => {
    expect(read({ PARLEY_OIDC_ISSUER: url }).PARLEY_OIDC_ISSUER).toBe(url);
  });

  it.each([
    "http://id.example.com",
    "http://10.0.0.1",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "http://notlocalhost",
    "http://localhost@id.example.com",
    "http://0.0.0.0",
  ])("is refused over http elsewhere than on this machine: %s", (url) => {
    expect(problems({ PARLEY_OIDC_ISSUER: url })).toEqual([
      expect.stringMatching(/^PARLEY_OIDC_ISSUER must begin with https:\/\/ unless the provider is on this machine/),
    ]);
  });
});
