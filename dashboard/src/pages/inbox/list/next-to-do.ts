/** The conversation to open after this one: the next below that is not done, else the nearest above; null: none is left. */
export function nextToDo(rows: readonly number[], id: number, done: ReadonlySet<number>): number | null {
  const at = rows.indexOf(id);
  const isLeft = (row: number) => row !== id && !done.has(row);
  return rows.slice(at + 1).find(isLeft) ?? rows.slice(0, Math.max(0, at)).findLast(isLeft) ?? null;
}
