import { language } from "../lib/language.ts";
import { t } from "../lib/texts.ts";
import { useSearchState } from "../lib/use-search-state.ts";
import css from "./range-picker.module.css";

interface RangePickerProps<Range extends string> {
  /** In their order, each with its name. */
  ranges: Readonly<Record<Range, string>>;
  range: Range;
  onChange: (range: Range) => void;
}

/** The period that charts show: one of a few. */
export const RangePicker = <Range extends string>({ ranges, range, onChange }: RangePickerProps<Range>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset of buttons would be announced as a form
  <div className={css.ranges} role="group" aria-label={t("Period")}>
    {(Object.keys(ranges) as Range[]).map((name) => (
      <button
        key={name}
        type="button"
        className={css.range}
        title={ranges[name]}
        aria-pressed={range === name}
        onClick={() => onChange(name)}
      >
        {shortOf(name)}
      </button>
    ))}
  </div>
);

/** "7d" as the language of the page says it. */
function shortOf(range: string): string {
  const unit = range.endsWith("h") ? "hour" : "day";
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "narrow" });
  return format.format(Number.parseInt(range, 10));
}

/** The period in the address, `?range=`. The default, which must be one of `ranges`, is left out there. */
export function useRange<Range extends string>(
  ranges: Readonly<Record<Range, string>>,
  byDefault: NoInfer<Range>,
): [Range, (range: Range) => void] {
  const [{ range }, change] = useSearchState(["range"]);
  return [range in ranges ? (range as Range) : byDefault, (next) => change({ range: next === byDefault ? "" : next })];
}
