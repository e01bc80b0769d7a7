import type { ImapFlow } from "imapflow";
import { refuseMore } from "./pace.ts";

interface Parsed {
  attributes?: { value?: unknown; section?: { value?: unknown }[] }[];
}

/** What imapflow has and does not declare. */
interface Internals {
  exec: (...args: unknown[]) => unknown;
  getUntaggedHandler: (command: string, attributes: Parsed["attributes"]) => unknown;
  settleRequest: (request: unknown, parsed: Parsed, ...args: unknown[]) => Promise<void>;
  untaggedVanished: () => Promise<void>;
}

/** More than is listed at once. */
const NUMBERS_MAX = 4_096;

const isCopyUid = (attributes: Parsed["attributes"]): boolean => attributes?.[0]?.section?.[0]?.value === "COPYUID";

/**
 * Responses that say `1:16000000` in a few bytes, which imapflow expands to as many numbers at once. Only the list of a server
 * that speaks IMAP4rev2 is needed, and its numbers are counted first. All others belong to extensions that are not used here,
 * or to what nobody reads.
 */
export function boundRanges(client: ImapFlow): void {
  const internals = client as unknown as Internals;
  const exec = internals.exec.bind(client);
  const getUntaggedHandler = internals.getUntaggedHandler.bind(client);
  const settleRequest = internals.settleRequest.bind(client);
  let left = NUMBERS_MAX;
  internals.exec = (...args) => {
    left = NUMBERS_MAX;
    return exec(...args);
  };
  internals.untaggedVanished = async () => {};
  internals.getUntaggedHandler = (command, attributes) => {
    if (isCopyUid(attributes)) return undefined;
    if (command.trim().toUpperCase() === "ESEARCH") {
      left -= countNumbers(attributes);
      if (left < 0) return void refuseMore(client, "Too many numbers.");
    }
    return getUntaggedHandler(command, attributes);
  };
  internals.settleRequest = (request, parsed, ...args) =>
    settleRequest(request, isCopyUid(parsed.attributes) ? { ...parsed, attributes: [] } : parsed, ...args);
}

function countNumbers(attributes: Parsed["attributes"] = []): number {
  let count = 0;
  for (const { value } of attributes.filter((attribute) => typeof attribute?.value === "string"))
    for (const range of String(value).split(",")) {
      const [first = 0, last = first] = range.split(":").map(Number);
      count += 1 + (Math.abs(last - first) || 0);
    }
  return count;
}
