import { Type } from "typebox";

/** Query parameters that several lists share. A `timestamp` reaches the handler as a Date. */
export const timestampParameter = (description: string) =>
  Type.Unsafe<Date>({ type: "string", format: "timestamp", description });

export const CreatedBetween = {
  created_after: Type.Optional(timestampParameter("At this time or later; any ISO 8601 form.")),
  created_before: Type.Optional(timestampParameter("Before this time.")),
};

/** The names of a comma separated list. */
export const namesIn = (list: string): string[] =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
