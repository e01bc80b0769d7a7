import { IsArray } from "typebox";
import type { RouteSpec } from "../pipeline/route.ts";

/** Collections whose name in the path says too little when it is read alone. */
const FULL_NAMES: Record<string, string> = { logs: "webhook-logs" };

const CRUD = { GET: "get", POST: "create", PUT: "put", PATCH: "update", DELETE: "delete" } as const;

/**
 * A name that reads like a method, because clients are generated from it: `listConversations`, `createMessage`,
 * `testWebhook`. It follows from method and path; a route whose name would read badly says its own.
 */
export function operationIdOf({ method, path, operationId, success }: RouteSpec): string {
  if (operationId) return operationId;
  const segments = path.split("/").filter(Boolean);
  const last = segments.at(-1) ?? "";
  const [owner, collection] = [segments.at(-2) ?? "", segments.at(-3) ?? ""];
  if (isParameter(last)) return CRUD[method] + noun(singular(owner));
  const parent = isParameter(owner) ? collection : owner;
  if (method === "GET") {
    if (IsArray(success.data)) return `list${noun(last)}`;
    return `get${noun(singular(parent))}${noun(last)}`;
  }
  if (method !== "POST" || last.endsWith("s")) return CRUD[method] + noun(singular(last));
  const [verb = "", ...object] = last.split("-");
  return verb + noun(isParameter(owner) ? singular(parent) : parent) + noun(object.join("-"));
}

const isParameter = (segment: string): boolean => segment.startsWith("{");

const singular = (name: string): string =>
  full(name)
    .replace(/ies$/, "y")
    .replace(/(x)es$/, "$1")
    .replace(/s$/, "");

const noun = (name: string): string =>
  full(name)
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const full = (name: string): string => FULL_NAMES[name] ?? name;
