import { useEventTypes } from "../../../api/catalogue.ts";
import { Input, Select } from "../../../components/field.tsx";
import { t } from "../../../lib/texts.ts";
import { localInputValue } from "../local-time.ts";
import { type LogFilterValues, SPANS } from "./filters.ts";
import css from "./log.module.css";

interface LogFiltersProps {
  values: LogFilterValues;
  onChange: (change: Partial<LogFilterValues>) => void;
}

export function LogFilters({ values, onChange }: LogFiltersProps) {
  const catalogue = useEventTypes();
  return (
    <search className={css.filters} aria-label={t("Filter deliveries")}>
      <Select aria-label={t("Group")} value={values.view} onChange={(event) => onChange({ view: event.target.value })}>
        <option value="">{t("By event")}</option>
        <option value="attempts">{t("Every attempt")}</option>
      </Select>
      <Select
        aria-label={t("Status")}
        value={values.status}
        onChange={(event) => onChange({ status: event.target.value })}
      >
        <option value="">{t("Any status")}</option>
        <option value="success">{t("Delivered")}</option>
        <option value="failed">{values.view === "attempts" ? t("Failed") : t("With a failed attempt")}</option>
      </Select>
      <Select
        aria-label={t("Event")}
        value={values.event}
        onChange={(event) => onChange({ event: event.target.value })}
      >
        <option value="">{t("Any event")}</option>
        {(catalogue.data ?? []).map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
        {!catalogue.data && values.event !== "" && <option>{values.event}</option>}
      </Select>
      <Select
        aria-label={t("Time")}
        value={values.time}
        onChange={(event) => onChange({ time: event.target.value, from: "", to: "" })}
      >
        {SPANS.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </Select>
      {values.time === "range" && (
        <div className={css.range}>
          <Moment label={t("From")} value={values.from} onChange={(from) => onChange({ from })} />
          <span aria-hidden>–</span>
          <Moment label={t("To")} value={values.to} onChange={(to) => onChange({ to })} />
        </div>
      )}
    </search>
  );
}

interface MomentProps {
  label: string;
  value: string;
  onChange: (instant: string) => void;
}

function Moment({ label, value, onChange }: MomentProps) {
  const date = value === "" ? null : new Date(value);
  const valid = date !== null && !Number.isNaN(date.getTime());
  return (
    <Input
      type="datetime-local"
      aria-label={label}
      defaultValue={valid ? localInputValue(date) : ""}
      onChange={(event) => onChange(event.target.value === "" ? "" : new Date(event.target.value).toISOString())}
    />
  );
}
