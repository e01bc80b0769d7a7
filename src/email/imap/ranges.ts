import type { ImapFlow } from "imapflow";

interface Parsed {
  attributes?: { section?: { value?: unknown }[] }[];
}

/** What imapflow has and does not declare. */
interface Internals {
  getUntaggedHandler: (command: string, attributes: Parsed["attributes"]) => unknown;
  settleRequest: (request: unknown, parsed: Parsed, ...args: unknown[]) => Promise<void>;
  untaggedVanished: () => Promise<void>;
}

const isCopyUid = (attributes: Parsed["attributes"]): boolean => attributes?.[0]?.section?.[0]?.value === "COPYUID";

/**
 * Responses that say `1:16000000` in a few bytes, which imapflow expands to as many numbers at once. All of them belong to
 * extensions that are not used here, or to what nobody reads.
 */
export function ignoreRanges(client: ImapFlow): void {
  const internals = client as unknown as Internals;
  const getUntaggedHandler = internals.getUntaggedHandler.bind(client);
  const settleRequest = internals.settleRequest.bind(client);
  internals.untaggedVanished = async () => {};
  internals.getUntaggedHandler = (command, attributes) =>
    command.trim().toUpperCase() === "ESEARCH" || isCopyUid(attributes)
      ? undefined
      : getUntaggedHandler(command, attributes);
  internals.settleRequest = (request, parsed, ...args) =>
    settleRequest(request, isCopyUid(parsed.attributes) ? { ...parsed, attributes: [] } : parsed, ...args);
}
