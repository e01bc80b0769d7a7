import { type PayloadFilter, parseFilter } from "../events/payload-filter.ts";
import type { Template } from "./template.ts";

/** What a webhook gets, already checked. Null: all events, the event itself, without a limit. */
export interface Controls {
  filter?: PayloadFilter | null | undefined;
  template?: Template | undefined;
  rate_limit?: number | null | undefined;
}

/** The columns `filter`, `filter_path`, `template` and `rate_limit`. */
export function controlValues({ filter = null, template = null, rate_limit = null }: Controls) {
  const parsed = filter && parseFilter(filter);
  return [asJson(filter), parsed?.ok ? parsed.path : null, asJson(template), rate_limit];
}

const asJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
