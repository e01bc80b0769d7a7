import { createHash } from "node:crypto";
import { listSql, type Statement } from "./database.ts";

/** A filter that was given. Each `?` is one of its values, in their order. */
export interface Condition {
  /** Part of the statement's name: one statement per combination of filters. */
  name: string;
  sql: string;
  values: readonly unknown[];
  /** How many rows it admits depends on the value so much that no plan is kept for it. */
  skewed?: true;
}

interface OrderColumn {
  column: string;
  type: "bigint" | "timestamptz";
}

/** A list: where its rows are picked, in which order, and how the picked ones are read. */
export interface ListSource<Row extends object, T> {
  name: string;
  /** What the conditions and the order look at. */
  table: string;
  /** All descending; unique as a whole. */
  order: readonly OrderColumn[];
  /** The column of the record's id, where that is not the last one of the order. */
  id?: string;
  /**
   * What is picked: the keys of the order, to which `joins` finds the rows, or the rows themselves, which keep the alias
   * of `table`. Keys are quick to skip on the way to a deep page; rows save a lookup each: half the time of a short list.
   */
  picks?: "keys" | "rows";
  columns: string;
  /** The record is one column, `json`: its text as the database wrote it. */
  asJson?: true;
  /**
   * What the columns come from; `$1` is the workspace. Where keys are picked: joins to `picked`, which has the columns of
   * the order as `key0`, `key1` …. Compare with `any(array[picked.key0])`: every plan then looks the key up in the index.
   * With a plain equality, a plan that was made while the table was empty, and kept, may read the whole workspace.
   */
  joins: string;
  /**
   * Where texts may be long: a stretch ends with the record that reaches the limit. `rows` joins the rows of `table` to
   * `picked`, so that `joins` need not; `bytes` is the size of the texts of a row, which is known without reading them.
   */
  sized?: { rows: string; bytes: string };
  toRecord: (row: Row) => T;
}

/** Which rows are picked before a stretch of them is read. */
export interface RowPick {
  variant: string;
  conditions: readonly Condition[];
  branches: readonly Condition[];
  /** At most this many; null: all that match. */
  depth: number | null;
  ascending?: boolean;
}

// A client that tries every combination of filters must not fill the memory of each connection with plans.
const NAMED_STATEMENTS_MAX = 500;
const statements = new Map<string, Statement>();

const aliasOf = (table: string): string => table.split(" ").at(-1) ?? table;

export const pickedAlias = <Row extends object, T>({ picks, sized, table }: ListSource<Row, T>): string =>
  picks === "rows" || sized ? aliasOf(table) : "picked";

/** Reads the records of a stretch of what was picked; where it is sized, up to the one that reaches `bytesMax`. */
export function recordSql<Row extends object, T>(
  source: ListSource<Row, T>,
  stretch: string,
  { bytesMax, extra = "" }: { bytesMax: number; extra?: string },
): string {
  const { asJson, columns, joins, sized } = source;
  const picked = pickedAlias(source);
  const record = asJson ? "record.id, row_to_json(record)::text as json" : columns;
  return `
    select ${record}${sized ? `, ${picked}.stretch_rows` : ""}${extra}
    from (${sized ? sizedSql(source, sized, stretch) : stretch}) ${picked}
    ${joins}
    ${sized ? `where ${picked}.bytes_before < ${bytesMax}` : ""}
    ${asJson ? `cross join lateral (select ${columns}) record` : ""}
    order by ${keyOrder(source, picked, "desc")}`;
}

/** The rows of a stretch, each with the bytes of those before it, and with how many there are. */
const sizedSql = <Row extends object, T>(
  source: ListSource<Row, T>,
  { rows, bytes }: { rows: string; bytes: string },
  stretch: string,
): string => `
      select
        ${aliasOf(source.table)}.*,
        ${source.order.map((_, index) => `picked.key${index}`).join(", ")},
        count(*) over () as stretch_rows,
        coalesce(sum(${bytes}) over earlier, 0) as bytes_before
      from (${stretch}) picked
      ${rows}
      window earlier as (
        order by ${keyOrder(source, "picked", "desc")}
        rows between unbounded preceding and 1 preceding)`;

export const keyOrder = <Row extends object, T>(
  { order }: ListSource<Row, T>,
  alias: string,
  direction: "asc" | "desc",
): string => order.map((_, index) => `${alias}.key${index} ${direction}`).join(", ");

/** The keys of the order, from which a cursor is made. */
export const keyTexts = <Row extends object, T>({ order }: ListSource<Row, T>, alias: string): string =>
  order.map((_, index) => `${alias}.key${index}::text as key${index}`).join(", ");

/** Picks what matches, in the list's order or the opposite one. */
export function pickSql<Row extends object, T>(
  { table, order, picks }: ListSource<Row, T>,
  { conditions, branches, depth, ascending }: RowPick,
  parameter: (value: unknown) => string,
): string {
  const direction = ascending ? "asc" : "desc";
  const keys = order.map(({ column }, index) => `${column} as key${index}`).join(", ");
  const sorting = order.map(({ column }) => `${column} ${direction}`).join(", ");
  const numbered = (condition: Condition) => {
    let next = 0;
    return condition.sql.replaceAll("?", () => parameter(condition.values[next++]));
  };
  const common = conditions.map(numbered);
  const one = (extra: readonly string[]) => `
      select ${picks === "rows" ? `${aliasOf(table)}.*, ` : ""}${keys}
      from ${table}
      where ${[...common, ...extra].join("\n        and ")}
      order by ${sorting}
      ${depth === null ? "" : `limit ${depth}`}`;
  if (branches.length === 0) return one([]);
  return branches.map((branch) => `(${one([numbered(branch)])})`).join("\n      union all\n      ");
}

/** Empty for a statement whose plan is not to be kept. */
export function nameOf(list: string, { variant, conditions, branches, depth }: RowPick): string {
  const all = [...conditions, ...branches];
  if (all.some(({ skewed }) => skewed)) return "";
  const name = `list_${[list, variant, depth ?? "all", ...all.map((condition) => condition.name)].join("_")}`;
  // PostgreSQL cuts names at 63 bytes.
  return name.length <= 63 ? name : `list_${createHash("sha256").update(name).digest("hex").slice(0, 40)}`;
}

export function statementOf(name: string, text: string): Statement {
  if (name === "") return listSql("", text);
  const known = statements.get(name);
  if (known) return known;
  const statement = listSql(statements.size < NAMED_STATEMENTS_MAX ? name : "", text);
  if (statement.name) statements.set(name, statement);
  return statement;
}
