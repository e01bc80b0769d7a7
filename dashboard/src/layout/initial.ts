/** The first letter of a name, whatever its script. */
export const initialOf = (name: string): string => ([...name.trim()][0] ?? "?").toUpperCase();
