import { plural } from "../../../lib/texts.ts";
export const countOf = ({ length }: { length: number }): string =>
  plural(length, "{n} conversation", "{n} conversations");
