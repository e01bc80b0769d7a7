import { VIEW_COUNT_MAX } from "../../api/views.ts";

export const countText = (count: number | undefined): string | undefined =>
  count === undefined || count < VIEW_COUNT_MAX ? count?.toString() : `${VIEW_COUNT_MAX - 1}+`;
