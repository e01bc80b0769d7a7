import type { Command } from "commander";
import { type Fields, parseField, TRIGGERED_EVENTS, trigger } from "../trigger/triggers.ts";
import { noteServer, report } from "./output.ts";
import { openRemote, type RemoteOptions, remoteCommand } from "./remote.ts";

interface TriggerOptions extends RemoteOptions {
  set?: Fields;
  json?: true;
}

export function triggerCommand(): Command {
  return remoteCommand("trigger")
    .description("Cause an event with real API calls. What they create is labelled `test`.")
    .argument("<event>", "name of the event, e.g. message.created")
    .option("--set <field=value>", "a field of the record; may be repeated", collect)
    .option("--json", "print the record as JSON")
    .addHelpText("after", `\nEvents:\n${TRIGGERED_EVENTS.map((name) => `  ${name}`).join("\n")}`)
    .action(async (event: string, options: TriggerOptions) => {
      const { parley, url } = await openRemote(options);
      const record = await trigger(parley, event, options.set ?? {});
      if (options.json) noteServer(url);
      report(options, record, `Triggered ${event}${"id" in record ? ` (record ${record.id})` : ""} on ${url}.`);
    });
}

function collect(text: string, before: Fields = {}): Fields {
  const [name, value] = parseField(text);
  return { ...before, [name]: value };
}
