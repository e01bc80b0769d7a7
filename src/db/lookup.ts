/**
 * `column = value` for rows that a batch names, in a form that can only be executed by looking the batch's values up in the
 * index. A plan is kept for a while, and a queue is empty at one moment and holds a hundred thousand the next: made while
 * it was empty, a plan for the plain equality reads the whole table and compares each row with the batch.
 */
export const lookup = (column: string, value: string): string => `${column} = any(array[${value}])`;
