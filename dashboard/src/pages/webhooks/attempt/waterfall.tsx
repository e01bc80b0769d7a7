import type { DeliveryLogDetail } from "../../../api/webhook-logs.ts";
import { formatDuration } from "../../../lib/format.ts";
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
      <table className={css.waterfall} aria-label="Timing">
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
            <th scope="row">Total</th>
            <td aria-hidden />
            <td className={css.ms}>{formatDuration(timings.total_ms ?? 0)}</td>
          </tr>
        </tbody>
      </table>
      {timings.connect_ms === null && timings.first_byte_ms !== null && (
        <p className={css.muted}>Reused connection: no lookup, no handshake.</p>
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
  add("DNS", "Looking up the name", timings.dns_ms, "connect");
  add("Connect", "Opening the connection", timings.connect_ms, "connect");
  add("TLS", "Agreeing on encryption and checking the certificate", timings.tls_ms, "connect");
  add("First byte", "From sending the request to the first byte of the response", timings.first_byte_ms, "wait");
  const rest = Math.round(((timings.total_ms ?? 0) - from) * 1000) / 1000;
  if (timings.first_byte_ms === null) add("Waiting", "Until the timeout", Math.max(0, rest), "wait");
  else add("Rest", "Reading the response, and waiting for a free connection", Math.max(0, rest), "rest");
  return steps;
}
