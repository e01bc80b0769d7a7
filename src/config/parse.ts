import ipaddr from "ipaddr.js";

/** Parses a single setting. It throws an Error whose message completes "NAME …". */
export type SettingParser<T> = (value: string) => T;

export const text: SettingParser<string> = (value) => value;

export const integer =
  (min: number, max: number): SettingParser<number> =>
  (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be an integer from ${min} to ${max}`);
    return number;
  };

export const oneOf =
  <T extends string>(allowed: readonly T[]): SettingParser<T> =>
  (value) => {
    const found = allowed.find((item) => item === value.toLowerCase());
    if (!found) throw new Error(`must be one of ${allowed.join(", ")}`);
    return found;
  };

export const boolean: SettingParser<boolean> = (value) => {
  if (/^(true|1)$/i.test(value)) return true;
  if (/^(false|0)$/i.test(value)) return false;
  throw new Error("must be true or false");
};

/** `80,443,8000-8999`. */
export const portRanges: SettingParser<{ from: number; to: number }[]> = (value) =>
  list(value).map((item) => {
    const [, first = "", last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(item) ?? [];
    const range = { from: Number(first), to: Number(last) };
    if (first === "" || range.from < 1 || range.to > 65_535 || range.from > range.to)
      throw new Error(`must be ports or ranges of ports, comma separated; "${item}" is neither`);
    return range;
  });

export const list: SettingParser<string[]> = (value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** Without the @, in lower case. */
export const domains: SettingParser<string[]> = (value) =>
  list(value).map((item) => {
    if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(item))
      throw new Error(`must be domains such as example.com, comma separated; "${item}" is not one`);
    return item.toLowerCase();
  });

/** `name=value,other=value`. */
export const headerList: SettingParser<Record<string, string>> = (value) =>
  Object.fromEntries(
    list(value).map((item) => {
      const [, name = "", text = ""] = /^([\w-]+)=([ -~]+)$/.exec(item) ?? [];
      if (name === "") throw new Error("must be headers as name=value, comma separated");
      return [name, text];
    }),
  );

export const cidrs: SettingParser<string[]> = (value) =>
  list(value).map((item) => {
    const valid = item.includes("/") ? ipaddr.isValidCIDR(item) : ipaddr.isValid(item);
    if (!valid) throw new Error(`must be a comma separated list of addresses or CIDRs; "${item}" is neither`);
    if (item.includes("/")) return item;
    return `${item}/${ipaddr.parse(item).kind() === "ipv4" ? 32 : 128}`;
  });

export const httpUrl: SettingParser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error("must be an http or https URL");
  return value.replace(/\/+$/, "");
};

/** Paths are appended to it. */
export const baseUrl: SettingParser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const { username = "", password = "", search = "", hash = "" } = url ?? {};
  if (!url || !/^https?:$/.test(url.protocol) || username + password + search + hash !== "")
    throw new Error("must be an http or https URL without user name, query and fragment");
  return httpUrl(value);
};

/** As it is written: providers compare it character by character, with or without the last slash. */
export const issuerUrl: SettingParser<string> = (value) => {
  httpUrl(value);
  const { protocol, hostname } = new URL(value);
  if (protocol === "http:" && !isLoopback(hostname))
    throw new Error(
      "must begin with https:// unless the provider is on this machine (localhost): " +
        "over http anybody in between could sign in as anyone",
    );
  return value;
};

function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, "");
  return /^(.+\.)?localhost$/.test(name) || (ipaddr.isValid(name) && ipaddr.process(name).range() === "loopback");
}

/** Exact: `*` would let every site read what a key can read. */
export const origins: SettingParser<string[]> = (value) =>
  list(value).map((item) => {
    const origin = URL.canParse(item) && /^https?:/.test(item) ? new URL(item).origin : null;
    if (origin === null || origin !== item.toLowerCase().replace(/\/$/, ""))
      throw new Error(
        `must be a comma separated list of origins such as https://app.example.com; "${item}" is not one`,
      );
    return origin;
  });

export const databaseUrl: SettingParser<string> = (value) => {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new Error("must be a postgres:// URL");
  return value;
};

/** `smtp://user:password@host:587`, or `smtps://` where TLS begins with the connection. Its value is never repeated. */
export const smtpUrl: SettingParser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "")
    throw new Error("must be an smtp:// or smtps:// URL with a host, e.g. smtp://user:password@mail.example.com:587");
  if (url.search !== "" || url.hash !== "" || !/^\/?$/.test(url.pathname))
    throw new Error("must not have a path or parameters behind the host and port");
  if ((url.username === "") !== (url.password === ""))
    throw new Error("must have both a user and a password, or neither");
  return value;
};

/** The proxy itself is reached without TLS; what goes through it is encrypted for the receiver. */
export const proxyUrl: SettingParser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== "http:" || url.hostname === "")
    throw new Error("must be an http:// URL with a host, e.g. http://user:password@proxy.example.com:3128");
  if (url.search !== "" || url.hash !== "" || url.pathname !== "/")
    throw new Error("must not have a path or parameters behind the host and port");
  if (url.username === "" && url.password !== "") throw new Error("must have a user where it has a password");
  return value;
};

export interface Mailbox {
  name: string;
  address: string;
}

export const minutes: SettingParser<number> = (value) => {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number) || number < 0 || number > 1_440)
    throw new Error("must be a number of minutes from 0 to 1440");
  return number;
};

/** `alerts@example.com` or `Parley <alerts@example.com>`. */
export const mailbox: SettingParser<Mailbox> = (value) => {
  const [, name = "", inner, plain] = /^(?:([^<>"]*)<([^<>]*)>|([^<>]*))$/.exec(value) ?? [];
  const address = (inner ?? plain ?? "").trim();
  if (!/^[^\s@,;<>]+@[^\s@,;<>]+$/.test(address))
    throw new Error("must be an e-mail address, as in alerts@example.com or Parley <alerts@example.com>");
  return { name: name.trim(), address };
};

export const minLength =
  (min: number): SettingParser<string> =>
  (value) => {
    if (value.length < min) throw new Error(`must have at least ${min} characters`);
    return value;
  };

export const secretKeys: SettingParser<string[]> = (value) => list(value).map((item) => minLength(32)(item));

const SCHEDULE_STEPS_MAX = 50;

export const retrySchedule: SettingParser<number[]> = (value) => {
  const seconds = list(value).map(Number);
  const valid = seconds.every((item) => Number.isFinite(item) && item >= 0 && item <= 30 * 86_400);
  if (!valid || seconds.length === 0 || seconds.length > SCHEDULE_STEPS_MAX)
    throw new Error("must be 1 to 50 numbers of seconds, comma separated");
  return seconds;
};

export interface TierLimit {
  requests: number;
  windowSeconds: number;
}

/** `1000/60`, or `unlimited`, which is "unlimited" here because null is an absent setting. */
export const rateLimit: SettingParser<TierLimit | "unlimited"> = (value) => {
  if (/^unlimited$/i.test(value)) return "unlimited";
  const [, requests, windowSeconds] = /^(\d{1,9})\/(\d{1,6})$/.exec(value) ?? [];
  if (!(Number(requests) >= 1 && Number(windowSeconds) >= 1))
    throw new Error("must look like 1000/60 (requests/seconds), or be unlimited");
  return { requests: Number(requests), windowSeconds: Number(windowSeconds) };
};

/** `low=60/60,standard=1000/60,bulk=unlimited`, merged over the defaults. Null is without limit. */
export const rateLimitTiers: SettingParser<Record<string, TierLimit | null>> = (value) =>
  Object.fromEntries(
    list(value).map((item) => {
      const match = /^([a-z][a-z0-9_-]{0,31})=(?:(unlimited)|(\d{1,9})\/(\d{1,6}))$/i.exec(item);
      const [, name = "", unlimited, requests, windowSeconds] = match ?? [];
      if (!match || (!unlimited && (Number(requests) < 1 || Number(windowSeconds) < 1)))
        throw new Error(`must look like low=60/60,standard=1000/60 (requests/seconds); "${item}" does not`);
      return [name, unlimited ? null : { requests: Number(requests), windowSeconds: Number(windowSeconds) }];
    }),
  );
