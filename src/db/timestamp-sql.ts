/** A time as the API shows it, as text of the database's own making. */
export const timestampSql = (time: string): string =>
  `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`;
