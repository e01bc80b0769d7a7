import type { Queryable } from "./database.ts";
import {
  type Condition,
  keyOrder,
  keyTexts,
  type ListSource,
  nameOf,
  pickedAlias,
  pickSql,
  type RowPick,
  recordSql,
  statementOf,
} from "./list-sql.ts";

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

interface Stretch<T> {
  records: { record: T; key: ListKey }[];
  /** Where a reader continues that got fewer records than it asked for; null: there are no more. */
  end: ListKey | null;
}

export interface ListReader<T> {
  /** Names the list and what it belongs to: a cursor of another one is refused. */
  readonly name: string;
  readonly workspaceId: number;
  readonly isFiltered: boolean;
  /** The order is that of ids, so that the highest id can keep pages from shifting. */
  readonly isOrderedById: boolean;
  /** The rows that follow a key; from the beginning without one. */
  after(key: ListKey | null, limit: number): Promise<Stretch<T>>;
  rows(limit: number, offset: number, upToId: number | null): Promise<T[]>;
  /** The same stretch, counted from the end of the list. */
  rowsFromEnd(limit: number, offset: number, upToId: number | null): Promise<T[]>;
  /** Stops at `max`. */
  count(max: number, upToId: number | null): Promise<{ total: number; isComplete: boolean }>;
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
  /** Conditions without an index that may hold for few of many rows: at most `LOOKED_AT` rows are looked at for them. */
  sparse?: readonly Condition[];
  total?: (() => Promise<number>) | null;
}

/** What one read costs at most, at about six pages per row; reading by cursor continues behind them. */
const LOOKED_AT = 500;

/** Of texts: a page of a hundred of the longest messages would have 20 MB, and one of mail 100. */
const STRETCH_BYTES_MAX = 2 * 1024 * 1024;
/** A numbered page cannot end earlier. A hundred of the longest messages in ASCII fit, and 42 in letters of three bytes. */
const NUMBERED_BYTES_MAX = 8 * 1024 * 1024;

// Every limit in the inner statement is a constant: for a parameter the planner assumes a tenth of the table, and sorts
// what it could have read in order. A page then takes its stretch of the smallest of these depths.
const DEPTHS = [101, 1_100, 10_200] as const;
const NO_DEPTH = null;

/** Completes the statement around the rows that were picked. */
type Finish = (candidates: string, parameter: (value: unknown) => string) => string;

export function createListReader<Row extends object, T>(
  db: Queryable,
  source: ListSource<Row, T>,
  options: ListOptions,
): ListReader<T> {
  const { workspaceId, base, filters, branches = [], sparse = [], total = null } = options;
  const given = [...base, ...filters];
  const id = source.id ?? source.order.at(-1)?.column;
  const upTo = (upToId: number | null): readonly Condition[] =>
    upToId === null ? given : [...given, { name: "upto", sql: `${id} <= ?`, values: [upToId] }];

  const run = runner(db, source);

  /** Adds the sparse conditions, and the key of the last row that is looked at for them if there are more. */
  async function bounded(conditions: readonly Condition[]): Promise<{ conditions: Condition[]; end: ListKey | null }> {
    if (sparse.length === 0) return { conditions: [...conditions], end: null };
    const [last] = await run<Record<string, string>>(
      { variant: "bound", conditions, branches, depth: LOOKED_AT },
      (candidates) => `
        select ${keyTexts(source, "found")}
        from (${candidates}) found
        order by ${keyOrder(source, "found", "desc")}
        limit 1 offset ${LOOKED_AT - 1}`,
    );
    const end = last ? keyOf(source, last) : null;
    return { conditions: [...conditions, ...(end ? [compared(source, ">=", end)] : []), ...sparse], end };
  }

  async function page(pick: Omit<RowPick, "depth" | "branches">, limit: number, offset: number): Promise<T[]> {
    const depth = DEPTHS.find((most) => offset + limit <= most) ?? NO_DEPTH;
    const { conditions } = await bounded(pick.conditions);
    const rows = await run<Row & Sized>({ ...pick, conditions, branches, depth }, (candidates, parameter) =>
      recordSql(
        source,
        `select *
         from (${candidates}) found
         order by ${keyOrder(source, "found", pick.ascending ? "asc" : "desc")}
         limit ${parameter(limit)} offset ${parameter(offset)}`,
        { bytesMax: NUMBERED_BYTES_MAX },
      ),
    );
    if (isCut(rows)) throw new StretchTooLarge();
    return rows.map(source.toRecord);
  }

  async function countOf(given: readonly Condition[], max: number): Promise<{ total: number; isComplete: boolean }> {
    const { conditions, end } = await bounded(given);
    const [row] = await run<{ total: number }>(
      { variant: "count", conditions, branches, depth: max },
      (candidates) => `select least(count(*), ${max}) as total from (${candidates}) found`,
    );
    const counted = row?.total ?? 0;
    return { total: counted, isComplete: counted < max && end === null };
  }

  return {
    name: options.owner === undefined ? source.name : `${source.name}:${options.owner}`,
    workspaceId,
    isFiltered: filters.length > 0 || branches.length > 0 || sparse.length > 0,
    isOrderedById: source.order.length === 1,
    total,
    async after(key, limit) {
      const { conditions, end } = await bounded(key === null ? given : [...given, compared(source, "<", key)]);
      const rows = await run<Keyed<Row>>(
        { variant: "after", conditions, branches, depth: DEPTHS[0] },
        (candidates, parameter) =>
          recordSql(
            source,
            `select *
             from (${candidates}) found
             order by ${keyOrder(source, "found", "desc")}
             limit ${parameter(limit)}`,
            { bytesMax: STRETCH_BYTES_MAX, extra: `, ${keyTexts(source, pickedAlias(source))}` },
          ),
      );
      return stretchOf(source, rows, end);
    },
    rows: (limit, offset, upToId) => page({ variant: "page", conditions: upTo(upToId) }, limit, offset),
    rowsFromEnd: (limit, offset, upToId) =>
      page({ variant: "end", conditions: upTo(upToId), ascending: true }, limit, offset),
    count: (max, upToId) => countOf(upTo(upToId), max),
    async countAbove(above, max) {
      const { total: newer } = await countOf([...given, { name: "above", sql: `${id} > ?`, values: [above] }], max);
      return newer;
    },
  };
}

/** Where texts may be long: how many rows the stretch has, of which only the first ones are shown. */
interface Sized {
  stretch_rows?: number;
}

type Keyed<Row> = Row & Sized & Record<string, string>;

function stretchOf<Row extends object, T>(
  source: ListSource<Row, T>,
  rows: readonly Keyed<Row>[],
  end: ListKey | null,
): Stretch<T> {
  const records = rows.map((row) => ({ record: source.toRecord(row), key: keyOf(source, row) }));
  return { records, end: isCut(rows) ? (records.at(-1)?.key ?? end) : end };
}

const isCut = (rows: readonly Sized[]): boolean => (rows[0]?.stretch_rows ?? 0) > rows.length;

/** The texts of a numbered page, which cannot end earlier, are more than one response may hold. */
export class StretchTooLarge extends Error {}

const runner =
  <Row extends object, T>(db: Queryable, source: ListSource<Row, T>) =>
  async <R extends object>(pick: RowPick, finish: Finish): Promise<R[]> => {
    const values: unknown[] = [];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const text = finish(pickSql(source, pick, parameter), parameter);
    return db.query<R>(statementOf(nameOf(source.name, pick), text), values);
  };

const compared = <Row extends object, T>(
  { order }: ListSource<Row, T>,
  operator: "<" | ">=",
  key: ListKey,
): Condition => ({
  name: operator === "<" ? "after" : "up_to",
  sql: `(${order.map(({ column }) => column)}) ${operator} (${order.map(({ type }) => `?::${type}`)})`,
  values: key,
});

const keyOf = <Row extends object, T>({ order }: ListSource<Row, T>, row: Record<string, string>): ListKey =>
  order.map(({ type }, index) => (type === "bigint" ? Number(row[`key${index}`]) : String(row[`key${index}`])));
