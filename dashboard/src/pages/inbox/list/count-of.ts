export const countOf = ({ length }: { length: number }): string =>
  length === 1 ? "1 conversation" : `${length} conversations`;
