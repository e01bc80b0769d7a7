import { createHash } from "node:crypto";
import { listSql, type Queryable, type Statement } from "./database.ts";

/** A filter that was given. `?` stands for each of its values, in their order. */
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
   * What the columns come from. Where keys are picked: joins to `picked`, which has `key0`, `key1` … of the order. `$1` is the workspace. Written as
   * `any(array[picked.key0])`, the key is looked up in the index under every plan; as a plain equality it may be a filter
   * over the whole workspace in a plan that was made, and kept, while the table was empty.
   */
  joins: string;
  toRecord: (row: Row) => T;
}

/** A record as the text of its JSON: it is sent as it is, neither parsed nor written again. */
export interface JsonRecord {
  id: number;
  json: string;
}

/** The same list with its records as JSON. Times must be selected as text: the database writes them in another form. */
export const recordsAsJson = <Row extends object, T>(
  source: ListSource<Row, T>,
): ListSource<JsonRecord, JsonRecord> => ({
  ...source,
  name: `${source.name}_json`,
  asJson: true,
  toRecord: (row) => row,
});

export type ListKey = readonly (string | number)[];

interface KeyedRecord<T> {
  record: T;
  key: ListKey;
}

export interface ListReader<T> {
  /** Names the list and what it belongs to: a cursor of another one is refused. */
  readonly name: string;
  readonly workspaceId: number;
  readonly isFiltered: boolean;
  /** The order is that of ids, so that pages can be held still by the highest id. */
  readonly isOrderedById: boolean;
  /** The rows that follow a key; from the beginning without one. */
  after(key: ListKey | null, limit: number): Promise<KeyedRecord<T>[]>;
  rows(limit: number, offset: number, upToId: number | null): Promise<T[]>;
  /** The same stretch, counted from the end of the list. */
  rowsFromEnd(limit: number, offset: number, upToId: number | null): Promise<T[]>;
  /** Stops at `max`. */
  count(max: number, upToId: number | null): Promise<number>;
  /** How many rows have a higher id; stops at `max`. */
  countAbove(id: number, max: number): Promise<number>;
  /** The exact number of rows from a counter; null where none is kept for these filters. */
  total: (() => Promise<number>) | null;
}

interface ListOptions {
  workspaceId: number;
  /** What the list belongs to, for its cursors: the conversation of messages. */
  owner?: number;
  /** Conditions that are always there. The first one names the workspace. */
  base: readonly Condition[];
  filters: readonly Condition[];
  /** Alternatives of one filter, of which each has the list's order in its index: each is read for itself. */
  branches?: readonly Condition[];
  total?: (() => Promise<number>) | null;
}

// Every limit in the inner statement is a constant: for a parameter the planner assumes a tenth of the table, and sorts
// what it could have read in order. A page then takes its stretch of the smallest of these depths.
const DEPTHS = [101, 1_100, 10_200] as const;
const NO_DEPTH = null;

// A client that tries every combination of filters must not fill the memory of each connection with plans.
const NAMED_STATEMENTS_MAX = 500;
const statements = new Map<string, Statement>();

interface Pick {
  variant: string;
  conditions: readonly Condition[];
  depth: number | null;
  ascending?: boolean;
}

export function createListReader<Row extends object, T>(
  db: Queryable,
  source: ListSource<Row, T>,
  options: ListOptions,
): ListReader<T> {
  const { workspaceId, base, filters, branches = [], total = null } = options;
  const given = [...base, ...filters];
  const id = source.id ?? source.order.at(-1)?.column;
  const keys = source.order.map((_, index) => `key${index}`);

  function conditionsUpTo(upToId: number | null): readonly Condition[] {
    if (upToId === null) return given;
    return [...given, { name: "upto", sql: `${id} <= ?`, values: [upToId] }];
  }

  async function run<R extends object>(
    pick: Pick,
    finish: (candidates: string, parameter: (value: unknown) => string) => string,
  ): Promise<R[]> {
    const values: unknown[] = [];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const text = finish(pickSql(source, pick, branches, parameter), parameter);
    return db.query<R>(statementOf(nameOf(source.name, pick, branches), text), values);
  }

  const sorted = (alias: string, direction: "asc" | "desc") =>
    keys.map((key) => `${alias}.${key} ${direction}`).join(", ");

  function stretch(limit: number, offset: number, pick: Pick): Promise<Row[]> {
    const direction = pick.ascending ? "asc" : "desc";
    return run<Row>(pick, (candidates, parameter) =>
      recordSql(
        source,
        `select *
         from (${candidates}) found
         order by ${sorted("found", direction)}
         limit ${parameter(limit)} offset ${parameter(offset)}`,
      ),
    );
  }

  return {
    name: options.owner === undefined ? source.name : `${source.name}:${options.owner}`,
    workspaceId,
    isFiltered: filters.length > 0 || branches.length > 0,
    isOrderedById: source.order.length === 1,
    total,
    async after(key, limit) {
      const following: readonly Condition[] =
        key === null
          ? given
          : [
              ...given,
              {
                name: "after",
                sql: `(${source.order.map(({ column }) => column)}) < (${source.order.map(({ type }) => `?::${type}`)})`,
                values: key,
              },
            ];
      const rows = await run<Row & Record<string, string>>(
        { variant: "after", conditions: following, depth: DEPTHS[0] },
        (candidates, parameter) =>
          recordSql(
            source,
            `select *
             from (${candidates}) found
             order by ${sorted("found", "desc")}
             limit ${parameter(limit)}`,
            keys.map((name) => `, ${pickedAlias(source)}.${name}::text as ${name}`).join(""),
          ),
      );
      return rows.map((row) => ({
        record: source.toRecord(row),
        key: keys.map((name, index) =>
          source.order[index]?.type === "bigint" ? Number(row[name]) : String(row[name]),
        ),
      }));
    },
    async rows(limit, offset, upToId) {
      const depth = DEPTHS.find((most) => offset + limit <= most) ?? NO_DEPTH;
      const pick = { variant: "page", conditions: conditionsUpTo(upToId), depth };
      return (await stretch(limit, offset, pick)).map(source.toRecord);
    },
    async rowsFromEnd(limit, offset, upToId) {
      const depth = DEPTHS.find((most) => offset + limit <= most) ?? NO_DEPTH;
      const pick = { variant: "end", conditions: conditionsUpTo(upToId), depth, ascending: true };
      return (await stretch(limit, offset, pick)).map(source.toRecord);
    },
    async count(max, upToId) {
      const pick = { variant: "count", conditions: conditionsUpTo(upToId), depth: max };
      const [row] = await run<{ total: number }>(
        pick,
        (candidates) => `select least(count(*), ${max}) as total from (${candidates}) found`,
      );
      return row?.total ?? 0;
    },
    async countAbove(above, max) {
      const conditions = [...given, { name: "above", sql: `${id} > ?`, values: [above] }];
      const [row] = await run<{ total: number }>(
        { variant: "count", conditions, depth: max },
        (candidates) => `select least(count(*), ${max}) as total from (${candidates}) found`,
      );
      return row?.total ?? 0;
    },
  };
}

const aliasOf = (table: string): string => table.split(" ").at(-1) ?? table;

const pickedAlias = <Row extends object, T>({ picks, table }: ListSource<Row, T>): string =>
  picks === "rows" ? aliasOf(table) : "picked";

/** Reads the records of a stretch of what was picked. */
function recordSql<Row extends object, T>(source: ListSource<Row, T>, stretch: string, extra = ""): string {
  const { asJson, columns, joins, order } = source;
  const picked = pickedAlias(source);
  const record = asJson ? "record.id, row_to_json(record)::text as json" : columns;
  return `
    select ${record}${extra}
    from (${stretch}) ${picked}
    ${joins}
    ${asJson ? `cross join lateral (select ${columns}) record` : ""}
    order by ${order.map((_, index) => `${picked}.key${index} desc`).join(", ")}`;
}

/** Picks what matches, in the list's order or the opposite one. */
function pickSql<Row extends object, T>(
  { table, order, picks }: ListSource<Row, T>,
  { conditions, depth, ascending }: Pick,
  branches: readonly Condition[],
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
function nameOf(list: string, { variant, conditions, depth }: Pick, branches: readonly Condition[]): string {
  const all = [...conditions, ...branches];
  if (all.some(({ skewed }) => skewed)) return "";
  const name = `list_${[list, variant, depth ?? "all", ...all.map((condition) => condition.name)].join("_")}`;
  // PostgreSQL cuts names at 63 bytes.
  return name.length <= 63 ? name : `list_${createHash("sha256").update(name).digest("hex").slice(0, 40)}`;
}

function statementOf(name: string, text: string): Statement {
  if (name === "") return listSql("", text);
  const known = statements.get(name);
  if (known) return known;
  const statement = listSql(statements.size < NAMED_STATEMENTS_MAX ? name : "", text);
  if (statement.name) statements.set(name, statement);
  return statement;
}
