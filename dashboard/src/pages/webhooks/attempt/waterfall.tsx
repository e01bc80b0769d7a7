import type { DeliveryLogDetail } from "../../../api/webhook-logs.ts";
import { formatDuration } from "../../../lib/format.ts";
import { t } from "../../../lib/texts.ts";
import css from "./attempt.module.css";

type Timings = DeliveryLogDetail["timings"];

interface Step {
  name: string;
  hint: string;
  ms: number;
  from: number;
  tone: "connect" | "wait" | "rest";
}

/** The steps one after the other, each where it began. */
export function Waterfall({ timings }: { timings: Timings }) {
  const steps = stepsOf(timings);
  const total = Math.max(timings.total_ms ?? 0, 0.001);
  const percent = (ms: number) => `${Math.min(100, (ms / total) * 100)}%`;
  return (
    <>
      <table className={css.waterfall} aria-label={t("Timing")}>
        <tbody>
          {steps.map(({ name, hint, ms, from, tone }) => (
            <tr key={name}>
              <th scope="row" title={hint}>
                {name}
              </th>
              <td className={css.track} aria-hidden>
                <span className={css[tone]} style={{ marginLeft: percent(from), width: percent(ms) }} />
              </td>
              <td className={css.ms}>{formatDuration(ms)}</td>
            </tr>
          ))}
          <tr className={css.total}>
            <th scope="row">{t("Total")}</th>
            <td aria-hidden />
            <td className={css.ms}>{formatDuration(timings.total_ms ?? 0)}</td>
          </tr>
        </tbody>
      </table>
      {timings.connect_ms === null && timings.first_byte_ms !== null && (
        <p className={css.muted}>{t("Reused connection: no lookup, no handshake.")}</p>
      )}
    </>
  );
}

function stepsOf(timings: Timings): Step[] {
  const steps: Step[] = [];
  let from = 0;
  const add = (name: string, hint: string, ms: number | null, tone: Step["tone"]) => {
    if (ms === null) return;
    steps.push({ name, hint, ms, from, tone });
    from += ms;
  };
  add("DNS", t("Looking up the name"), timings.dns_ms, "connect");
  add(t("Connect"), t("Opening the connection"), timings.connect_ms, "connect");
  add("TLS", t("Agreeing on encryption and checking the certificate"), timings.tls_ms, "connect");
  add(t("First byte"), t("From sending the request to the first byte of the response"), timings.first_byte_ms, "wait");
  const rest = Math.round(((timings.total_ms ?? 0) - from) * 1000) / 1000;
  if (timings.first_byte_ms === null) add(t("Waiting"), t("Until the timeout"), Math.max(0, rest), "wait");
  else add(t("Rest"), t("Reading the response, and waiting for a free connection"), Math.max(0, rest), "rest");
  return steps;
}
