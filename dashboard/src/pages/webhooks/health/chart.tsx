import { useId } from "react";
import type { HealthPoint } from "../../../api/webhooks.ts";
import { formatCount, formatDayAndHour, formatHour } from "../../../lib/format.ts";
import { t } from "../../../lib/texts.ts";
import { formatExact } from "../../../lib/time.ts";
import css from "./health.module.css";

const WIDTH = 720;
const HEIGHT = 96;
const GAP = 4;

/** Attempts hour by hour: how many, and which of them failed. The table below it holds the same numbers. */
export function HealthChart({ points }: { points: readonly HealthPoint[] }) {
  const title = useId();
  const most = Math.max(1, ...points.map((point) => point.attempts));
  const step = WIDTH / points.length;
  return (
    <figure className={css.figure}>
      <div className={css.plot}>
        <span className={css.most} aria-hidden>
          {formatCount(most)}
        </span>
        <svg
          className={css.chart}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={title}
        >
          <title id={title}>{t("Attempts per hour in the last 24 hours. The table below has the numbers.")}</title>
          <line className={css.grid} x1={0} x2={WIDTH} y1={0.5} y2={0.5} />
          <line className={css.grid} x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
          {points.map((point, index) => (
            <ChartBar key={point.at} point={point} x={index * step + GAP / 2} width={step - GAP} most={most} />
          ))}
        </svg>
        <div className={css.hours} aria-hidden>
          {points.map((point, index) =>
            index % 6 === 0 || index === points.length - 1 ? (
              <time key={point.at} dateTime={point.at} title={formatExact(new Date(point.at))}>
                {index === points.length - 1 ? t("Now") : formatHour(new Date(point.at))}
              </time>
            ) : null,
          )}
        </div>
      </div>
      <div className={css.legend} aria-hidden>
        <span className={css.keyDelivered}>{t("Delivered")}</span>
        <span className={css.keyFailed}>{t("Failed")}</span>
      </div>
      <details className={css.numbers}>
        <summary>{t("Show as a table")}</summary>
        <table className={css.table} aria-label={t("Attempts per hour")}>
          <thead>
            <tr>
              <th scope="col">{t("Hour")}</th>
              <th scope="col">{t("Attempts")}</th>
              <th scope="col">{t("Delivered")}</th>
              <th scope="col">{t("Failed")}</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.at} data-hour={point.at}>
                <th scope="row">
                  <time dateTime={point.at} title={formatExact(new Date(point.at))}>
                    {formatDayAndHour(new Date(point.at))}
                  </time>
                </th>
                <td>{formatCount(point.attempts)}</td>
                <td>{formatCount(point.successes)}</td>
                <td>{formatCount(point.attempts - point.successes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

interface ChartBarProps {
  point: HealthPoint;
  x: number;
  width: number;
  most: number;
}

function ChartBar({ point, x, width, most }: ChartBarProps) {
  const { attempts, successes } = point;
  const failures = attempts - successes;
  const high = (amount: number) => (amount === 0 ? 0 : Math.max(2, (amount / most) * (HEIGHT - 6)));
  const good = high(successes);
  const bad = high(failures);
  return (
    <g>
      <title>
        {t("{time}: {successes} delivered, {failures} failed", {
          time: formatDayAndHour(new Date(point.at)),
          successes,
          failures,
        })}
      </title>
      <rect className={css.target} x={x - GAP / 2} y={0} width={width + GAP} height={HEIGHT} />
      {good > 0 && <rect className={css.delivered} x={x} y={HEIGHT - 1 - good} width={width} height={good} />}
      {bad > 0 && <rect className={css.failed} x={x} y={HEIGHT - 1 - good - bad} width={width} height={bad} />}
    </g>
  );
}
