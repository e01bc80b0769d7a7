import { readFileSync } from "node:fs";
import { ParleyError } from "@parley/client";
import { Argument, type Command } from "commander";
import { printJson } from "./output.ts";
import { connect, type RemoteOptions, remoteCommand } from "./remote.ts";

interface ApiOptions extends RemoteOptions {
  data?: string;
  query?: Record<string, string>;
}

const METHODS = ["GET", "POST", "PATCH", "DELETE"];

export function apiCommand(): Command {
  return remoteCommand("api")
    .description("Send any request to the API and print the response.")
    .addArgument(new Argument("<method>", METHODS.join(", ")).argParser(parseMethod))
    .argument("<path>", "below /api/v1, e.g. /conversations")
    .option("--data <json>", "the body; @file reads it from a file, - from standard input")
    .option("--query <name=value>", "a query parameter; may be repeated", collect)
    .addHelpText(
      "after",
      "\nExample:\n  parley api GET /conversations --query status=open\n  parley api POST /contacts --data @contact.json",
    )
    .action(async (method: string, path: string, options: ApiOptions) => {
      const body = options.data === undefined ? undefined : parseBody(options.data);
      const parley = await connect(options);
      try {
        const { below, query } = parsePath(path);
        printJson((await parley.request(method, below, { query: { ...query, ...options.query }, body })).body);
      } catch (error) {
        if (!(error instanceof ParleyError) || error.status === 0) throw error;
        const { code, message, status, details, requestId } = error;
        printJson({ success: false, error: { code, message, details }, status, request_id: requestId });
        process.exitCode = 1;
      }
    });
}

function parseMethod(text: string): string {
  const method = text.toUpperCase();
  if (!METHODS.includes(method)) throw new Error(`The method is one of ${METHODS.join(", ")}; not "${text}".`);
  return method;
}

/** With or without /api/v1; a query may be part of the path, as in the documentation. */
function parsePath(text: string): { below: string; query: Record<string, string> } {
  const [path = "", search = ""] = text.split(/\?(.*)/s);
  const below = `/${path.replace(/^\/+/, "").replace(/^api\/v1\//, "")}`;
  return { below, query: Object.fromEntries(new URLSearchParams(search)) };
}

function parseBody(text: string): unknown {
  const json = textOf(text);
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(`--data is not JSON: ${(error as Error).message}`);
  }
}

function textOf(text: string): string {
  if (text === "-") return readFileSync(0, "utf8");
  if (!text.startsWith("@")) return text;
  try {
    return readFileSync(text.slice(1), "utf8");
  } catch (error) {
    throw new Error(`--data cannot read the file ${text.slice(1)}: ${(error as Error).message}`);
  }
}

function collect(text: string, before: Record<string, string> = {}): Record<string, string> {
  const equals = text.indexOf("=");
  if (equals < 1) throw new Error(`--query takes name=value; not "${text}".`);
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}
