import { Command } from "commander";
import { print, printJson, printTable } from "./output.ts";
import { connect, type RemoteOptions, remoteCommand } from "./remote.ts";

interface ListOptions extends RemoteOptions {
  limit: number;
  json?: true;
}

interface LogOptions extends ListOptions {
  status?: "success" | "failed";
}

const LIMIT_DEFAULT = 25;
const LIMIT_MAX = 1_000;

export function webhooksCommand(): Command {
  return new Command("webhooks")
    .description("Read and test webhooks.")
    .addCommand(listCommand())
    .addCommand(getCommand())
    .addCommand(testCommand());
}

/** `parley logs 4 --status failed`. */
export function logsCommand(): Command {
  return remoteCommand("logs")
    .description("Print the delivery log of a webhook, newest first.")
    .argument("<webhook>", "id or uuid of the webhook")
    .option("--status <status>", "success or failed")
    .option("--limit <number>", "attempts at most", parseLimit, LIMIT_DEFAULT)
    .option("--json", "print one attempt per line, as JSON")
    .action(async (webhook: string, options: LogOptions) => {
      const parley = await connect(options);
      const query = options.status ? { status: options.status } : {};
      const logs = await parley.webhooks.logs(webhook, query).take(options.limit);
      if (options.json) for (const log of logs) print(JSON.stringify(log));
      else
        printTable(
          ["ID", "TIME", "EVENT", "STATUS", "CODE", "MS", "ATTEMPT", "ERROR"],
          logs.map((log) => [
            log.id,
            log.created_at,
            log.event_type,
            log.status,
            log.response_code,
            log.response_time_ms,
            log.attempt,
            log.error_message,
          ]),
        );
    });
}

const listCommand = (): Command =>
  remoteCommand("list")
    .description("List webhooks, newest first.")
    .option("--limit <number>", "webhooks at most", parseLimit, LIMIT_DEFAULT)
    .option("--json", "print one webhook per line, as JSON")
    .action(async (options: ListOptions) => {
      const parley = await connect(options);
      const webhooks = await parley.webhooks.list().take(options.limit);
      if (options.json) for (const webhook of webhooks) print(JSON.stringify(webhook));
      else
        printTable(
          ["ID", "NAME", "ACTIVE", "EVENTS", "URL"],
          webhooks.map(({ id, name, is_active, events, url: to }) => [
            id,
            name,
            is_active ? "yes" : "no",
            events.join(","),
            to,
          ]),
        );
    });

const getCommand = (): Command =>
  remoteCommand("get")
    .description("Print a webhook with its health.")
    .argument("<webhook>", "id or uuid of the webhook")
    .action(async (webhook: string, options: RemoteOptions) => {
      const parley = await connect(options);
      printJson(await parley.webhooks.get(webhook));
    });

const testCommand = (): Command =>
  remoteCommand("test")
    .description("Send a test to a webhook and print the outcome.")
    .argument("<webhook>", "id or uuid of the webhook")
    .option("--event <name>", "send the example of this event instead of webhook.test")
    .action(async (webhook: string, { event, ...options }: RemoteOptions & { event?: string }) => {
      const parley = await connect(options);
      const result = await parley.webhooks.test(webhook, event ? { event_type: event } : {});
      printJson(result);
      if (!result.success) process.exitCode = 1;
    });

export function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > LIMIT_MAX)
    throw new Error(`--limit takes a number from 1 to ${LIMIT_MAX}; not "${text}".`);
  return limit;
}
