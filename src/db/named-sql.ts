import { type Statement, sql } from "./database.ts";

/** A statement whose parameters have names: `:name` in its text, and values that are given by name. */
export interface NamedStatement extends Statement {
  /** In the order in which PostgreSQL numbers them. */
  readonly parameters: readonly string[];
}

/** Not a cast (`::text`), and not the minutes of `HH24:MI`. */
const PARAMETER = /(?<![:\w]):([a-z]\w*)/g;

export function namedSql(name: string, text: string): NamedStatement {
  const parameters: string[] = [];
  const numbered = text.replace(PARAMETER, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { ...sql(name, numbered), parameters };
}

/** What a statement gets. Values that it does not name are left out. */
export function valuesOf({ name, parameters }: NamedStatement, values: Readonly<Record<string, unknown>>): unknown[] {
  return parameters.map((parameter) => {
    if (!(parameter in values)) throw new Error(`The statement ${name} needs a value for ${parameter}.`);
    return values[parameter];
  });
}
