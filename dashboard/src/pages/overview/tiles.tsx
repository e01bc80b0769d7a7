import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Overview } from "../../api/overview.ts";
import { formatCount, formatRate } from "../../lib/format.ts";
import { plural, t } from "../../lib/texts.ts";
import { formatSpan } from "../../lib/time.ts";
import css from "./overview.module.css";

/** Now, and over the chosen period. */
export function Tiles({ overview, period }: { overview: Overview; period: string }) {
  const { conversations, first_response: response, totals } = overview;
  const long = conversations.waiting_over_an_hour;
  const ended = totals.delivered + totals.failed;
  const errors = totals.errors_4xx + totals.errors_5xx;
  return (
    <dl className={css.tiles}>
      <Tile name={t("Open now")} value={<Link href="/inbox?view=open">{formatCount(conversations.open)}</Link>}>
        {plural(totals.received, "{n} message received", "{n} messages received")}
      </Tile>
      <Tile
        name={t("Waiting for a reply")}
        value={<Link href="/inbox?view=waiting">{formatCount(conversations.waiting)}</Link>}
      >
        {long.count === 0
          ? t("None for more than an hour")
          : t("{long} for more than an hour", { long: atLeast(long) })}
      </Tile>
      <Tile name={t("Median first response")} value={medianOf(response.median_seconds)}>
        {response.responses === 0
          ? t("No first response yet")
          : plural(response.responses, "{n} conversation", "{n} conversations")}
      </Tile>
      <Tile name={t("Events delivered")} value={formatRate(totals.delivered, ended)}>
        {ended === 0 ? t("None completed yet") : t("{delivered} of {ended}", { delivered: totals.delivered, ended })}
      </Tile>
      <Tile name={t("API errors")} value={formatCount(errors)}>
        {plural(totals.requests, "of {n} request", "of {n} requests")}
      </Tile>
      <div className="visually-hidden">
        <dt>{t("Period")}</dt>
        <dd>{period}</dd>
      </div>
    </dl>
  );
}

function medianOf(seconds: number | null): string {
  if (seconds === null) return "–";
  return seconds === 0 ? t("Under 1 second") : formatSpan(seconds);
}

/** `12`, or `1,000+` where counting stopped. */
export const atLeast = ({ count, is_lower_bound }: { count: number; is_lower_bound: boolean }): string =>
  `${formatCount(count)}${is_lower_bound ? "+" : ""}`;

const Tile = ({ name, value, children }: { name: string; value: ReactNode; children: ReactNode }) => (
  <div className={css.tile}>
    <dt>{name}</dt>
    <dd>
      <span className={css.value}>{value}</span>
      <span className={css.note}>{children}</span>
    </dd>
  </div>
);
