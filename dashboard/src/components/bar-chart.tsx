import { useState } from "react";
import { language } from "../lib/language.ts";
import { inSentence, t } from "../lib/texts.ts";
import { formatDayAndTime } from "../lib/time.ts";
import css from "./bar-chart.module.css";

interface Series {
  name: string;
  /** A token: `var(--chart-1)`. */
  color: string;
  values: readonly number[];
}

interface BarChartProps {
  /** What is counted, for screen readers: "Requests". */
  label: string;
  /** One for each bar, oldest first. */
  times: readonly string[];
  bucket: "hour" | "day";
  /** From the bottom of each bar to its top. */
  series: readonly Series[];
}

const HEIGHT = 100;
const STEP = 10;
const count = new Intl.NumberFormat(language);

/** Stacked bars over time: figures above, the exact numbers under the pointer and in a table. */
export function BarChart({ label, times, bucket, series }: BarChartProps) {
  const [shown, setShown] = useState<number | null>(null);
  const sums = times.map((_, index) => total(series, index));
  const top = niceTop(Math.max(0, ...sums));
  const totals = series.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const summary = series.map(({ name }, index) => `${count.format(totals[index] ?? 0)} ${inSentence(name)}`).join(", ");
  return (
    <div className={css.chart}>
      <Legend series={series} totals={totals} />
      <div className={css.plot} onPointerLeave={() => setShown(null)}>
        <svg
          className={css.svg}
          viewBox={`0 0 ${times.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t("{label}: {summary}. The numbers are in the table below.", { label, summary })}
        >
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              className={css.line}
              x1={0}
              x2={times.length * STEP}
              y1={part * HEIGHT}
              y2={part * HEIGHT}
            />
          ))}
          {times.map((at, index) => (
            <Bar key={at} index={index} series={series} top={top} onShow={() => setShown(index)} />
          ))}
        </svg>
        <div className={css.scale} aria-hidden>
          <span>{count.format(top)}</span>
          <span>{top >= 2 ? count.format(top / 2) : ""}</span>
          <span>0</span>
        </div>
        {shown !== null && <Tip {...{ times, bucket, series }} index={shown} />}
      </div>
      <div className={css.axis} aria-hidden>
        <span>{nameOf(times[0], bucket)}</span>
        <span>{nameOf(times[Math.floor(times.length / 2)], bucket)}</span>
        <span>{t("Now")}</span>
      </div>
      <NumbersTable {...{ label, times, bucket, series }} />
    </div>
  );
}

const Legend = ({ series, totals }: { series: readonly Series[]; totals: readonly number[] }) => (
  <div className={css.legend} aria-hidden>
    {series.map(({ name, color }, index) => (
      <div key={name} className={css.figure}>
        <span className={css.figureName}>
          <span className={css.swatch} style={{ background: color }} />
          {name}
        </span>
        <span className={css.figureValue}>{count.format(totals[index] ?? 0)}</span>
      </div>
    ))}
  </div>
);

interface BarProps {
  index: number;
  series: readonly Series[];
  top: number;
  onShow: () => void;
}

function Bar({ index, series, top, onShow }: BarProps) {
  let bottom = HEIGHT;
  return (
    <g className={css.bar} onPointerEnter={onShow}>
      <rect className={css.hit} x={index * STEP} y={0} width={STEP} height={HEIGHT} />
      {series.map(({ name, color, values }) => {
        const value = values[index] ?? 0;
        if (value === 0) return null;
        // A single failure among thousands must still be seen.
        const height = Math.max((value / top) * HEIGHT, 1.5);
        bottom -= height;
        return (
          <rect key={name} x={index * STEP + 1.5} y={bottom} width={STEP - 3} height={height} style={{ fill: color }} />
        );
      })}
    </g>
  );
}

type Numbers = Omit<BarChartProps, "label">;

function Tip({ times, bucket, series, index }: Numbers & { index: number }) {
  const left = Math.min(85, Math.max(12, ((index + 0.5) / times.length) * 95));
  return (
    <div className={css.tip} style={{ left: `${left}%` }} aria-hidden>
      <div className={css.tipTitle}>{nameOf(times[index], bucket)}</div>
      {series.map(({ name, color, values }) => (
        <div key={name} className={css.tipRow}>
          <span className={css.swatch} style={{ background: color }} />
          {name}
          <b>{count.format(values[index] ?? 0)}</b>
        </div>
      ))}
    </div>
  );
}

const NumbersTable = ({ label, times, bucket, series }: BarChartProps) => (
  <details className={css.details}>
    <summary>{t("Show as a table")}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
    <section className={css.tableBox} tabIndex={0} aria-label={t("{label}, as a table", { label })}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{bucket === "hour" ? t("Hour") : t("Day")}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, index) => (
            <tr key={at}>
              <th scope="row">{nameOf(at, bucket)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{count.format(values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
);

const total = (series: readonly Series[], index: number): number =>
  series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);

/** The next of 1, 2, 5, 10, 20, 50 …: a scale that can be halved and read. */
function niceTop(value: number): number {
  if (value <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

// Daily buckets are UTC days: in a zone behind it, the local day would be the one before.
const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });

const nameOf = (at: string | undefined, bucket: "hour" | "day"): string =>
  at === undefined ? "" : bucket === "hour" ? formatDayAndTime(new Date(at)) : day.format(new Date(at));
