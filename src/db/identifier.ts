import pg from "pg";

/** A name of the database's catalogue, quoted for SQL text. */
export const identifier = (name: string): string => pg.escapeIdentifier(name);
