import { t } from "../../lib/texts.ts";
/** An attribute as it is edited: text stays text, any other value is written as JSON. */
export interface AttributeRow {
  key: number;
  name: string;
  value: string;
  /** The stored value was not text, so what is typed is read as JSON where it can be. */
  isJson: boolean;
}

type Attributes = Record<string, unknown>;

export const rowsOf = (attributes: Attributes): AttributeRow[] =>
  Object.entries(attributes).map(([name, value], key) => ({
    key,
    name,
    value: typeof value === "string" ? value : JSON.stringify(value),
    isJson: typeof value !== "string",
  }));

/** What to save, or the sentence that says why it cannot be. */
export function attributesOf(rows: readonly AttributeRow[]): { attributes: Attributes } | { problem: string } {
  const attributes: Attributes = {};
  for (const { name, value, isJson } of rows) {
    const given = name.trim();
    if (given === "" && value.trim() === "") continue;
    if (given === "") return { problem: t("Every attribute needs a name.") };
    if (given in attributes) return { problem: t("There are two attributes called {given}.", { given }) };
    attributes[given] = isJson ? jsonOr(value) : value;
  }
  return { attributes };
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
