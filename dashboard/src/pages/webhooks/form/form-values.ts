import type { CreateWebhookBody, UpdateWebhookBody, Webhook } from "../../../api/webhooks.ts";
import { t } from "../../../lib/texts.ts";
import { filterTextProblem, jsonText, parseJsonText } from "../event-filter/json-text.ts";
import { urlProblem } from "./url-syntax.ts";

export interface HeaderRow {
  /** A stable key for React while other rows are removed. */
  row: number;
  key: string;
  value: string;
}

export interface FormValues {
  name: string;
  url: string;
  events: string[];
  headers: HeaderRow[];
  retries: string;
  timeout: string;
  skipOwnEvents: boolean;
  ordered: boolean;
  /** As JSON; empty: every event. */
  filter: string;
  /** As JSON; empty: the event itself. */
  template: string;
  /** Deliveries per second; empty: no limit. */
  rateLimit: string;
}

/** The fields of the API that the form shows. */
export const FORM_FIELDS = [
  "name",
  "url",
  "events",
  "headers",
  "retry_count",
  "timeout_seconds",
  "filter",
  "template",
  "rate_limit",
] as const;

export const EMPTY_FORM: FormValues = {
  name: "",
  url: "",
  events: [],
  headers: [],
  retries: "10",
  timeout: "15",
  skipOwnEvents: false,
  ordered: false,
  filter: "",
  template: "",
  rateLimit: "",
};

export const valuesOf = (webhook: Webhook): FormValues => ({
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  headers: webhook.headers.map((header, row) => ({ row, ...header })),
  retries: String(webhook.retry_count),
  timeout: String(webhook.timeout_seconds),
  skipOwnEvents: webhook.skip_own_events,
  ordered: webhook.ordered,
  filter: jsonText(webhook.filter),
  template: jsonText(webhook.template),
  rateLimit: webhook.rate_limit === null ? "" : String(webhook.rate_limit),
});

export const bodyOf = (values: FormValues): CreateWebhookBody => ({
  name: values.name.trim(),
  url: values.url.trim(),
  events: values.events as Webhook["events"],
  // Rows that were opened and left empty mean nothing.
  headers: filledHeaders(values).map(({ key, value }) => ({ key: key.trim(), value })),
  retry_count: Number(values.retries),
  timeout_seconds: Number(values.timeout),
  skip_own_events: values.skipOwnEvents,
  ordered: values.ordered,
  filter: jsonOf(values.filter) as Webhook["filter"],
  template: jsonOf(values.template),
  rate_limit: values.rateLimit.trim() === "" ? null : Number(values.rateLimit),
});

/** Already checked. */
function jsonOf(text: string): unknown {
  const parsed = parseJsonText(text);
  return parsed.ok ? parsed.value : null;
}

/** Only what differs: a field that another user changed meanwhile is left as it is. */
export function changesBetween(before: FormValues, after: FormValues): UpdateWebhookBody {
  const [old, now] = [bodyOf(before), bodyOf(after)];
  return Object.fromEntries(
    Object.entries(now).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof CreateWebhookBody]),
    ),
  );
}

const filledHeaders = ({ headers }: FormValues): HeaderRow[] =>
  headers.filter(({ key, value }) => key.trim() !== "" || value !== "");

/** What can be said before the server is asked, by the API's field names. */
export function problemsOf(values: FormValues): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  const check = (field: string, problem: string | null) => {
    if (problem !== null) problems[field] = [problem];
  };
  check("name", values.name.trim() === "" ? t("Give it a name, such as “Orders”.") : null);
  check("url", urlProblem(values.url.trim()));
  check("events", values.events.length === 0 ? t("Choose at least one event.") : null);
  check("retry_count", outside(values.retries, 0, 10) ? t("A whole number from 0 to 10.") : null);
  check("timeout_seconds", outside(values.timeout, 5, 60) ? t("A whole number from 5 to 60.") : null);
  check("filter", filterTextProblem(values.filter));
  const template = parseJsonText(values.template);
  check("template", template.ok ? null : template.problem);
  const limit = values.rateLimit.trim();
  check(
    "rate_limit",
    limit !== "" && outside(limit, 1, 1_000) ? t("A whole number from 1 to 1,000, or nothing.") : null,
  );
  return problems;
}

const outside = (text: string, least: number, most: number): boolean =>
  !/^\d+$/.test(text) || Number(text) < least || Number(text) > most;
