import { type ReactNode, useState } from "react";
import { useEventTypes } from "../../api/catalogue.ts";
import type { EventFilter } from "../../api/events.ts";
import { useIsManager } from "../../api/session.ts";
import { Input, Select } from "../../components/field.tsx";
import { t } from "../../lib/texts.ts";
import { useDelayedText } from "../../lib/use-delayed-text.ts";
import { useSearchState } from "../../lib/use-search-state.ts";
import css from "./events.module.css";

const SPANS = [
  { value: "", title: t("Any time"), hours: 0 },
  { value: "1h", title: t("Last hour"), hours: 1 },
  { value: "24h", title: t("Last 24 hours"), hours: 24 },
  { value: "7d", title: t("Last 7 days"), hours: 168 },
];
const ACTORS = { contact: t("Contacts"), user: t("Members"), api_key: t("Keys"), bot: t("Bots"), system: "Parley" };
const STATES = { failed: t("Failed somewhere"), pending: t("Not finished") };

const NAMES = ["type", "time", "actor", "conversation", "delivery"] as const;
type Values = Record<(typeof NAMES)[number], string>;
const NONE: Values = { type: "", time: "", actor: "", conversation: "", delivery: "" };

/** The filters, kept in the address, and as the API wants them. */
export function useEventFilters() {
  const [values, change] = useSearchState(NAMES);
  const isManager = useIsManager();
  const [openedAt] = useState(() => Date.now());
  const hours = SPANS.find(({ value }) => value === values.time)?.hours ?? 0;
  const filter: EventFilter = {
    type: values.type,
    created_after: hours === 0 ? undefined : new Date(openedAt - hours * 3_600_000).toISOString(),
    actor_type: values.actor in ACTORS ? values.actor : "",
    conversation_id: /^\d{1,15}$/.test(values.conversation) ? values.conversation : "",
    delivery_state: isManager && values.delivery in STATES ? values.delivery : "",
  };
  return { values, filter, change, isFiltered: Object.values(values).some(Boolean), clear: () => change(NONE) };
}

interface FiltersProps {
  values: Values;
  onChange: (change: Partial<Values>) => void;
}

export function Filters({ values, onChange }: FiltersProps) {
  const catalogue = useEventTypes().data ?? [];
  const isManager = useIsManager();
  const groups = [...new Set(catalogue.map(({ name }) => `${name.split(".")[0]}.*`))];
  const choice = (name: keyof Values, label: string, options: ReactNode) => (
    <Select aria-label={label} value={values[name]} onChange={(event) => onChange({ [name]: event.target.value })}>
      {options}
    </Select>
  );
  return (
    <search className={css.filters} aria-label={t("Filter events")}>
      {choice(
        "type",
        t("Type"),
        <>
          <option value="">{t("Any type")}</option>
          {[...groups, ...catalogue.map(({ name }) => name)].map((name) => (
            <option key={name}>{name}</option>
          ))}
          {catalogue.length === 0 && values.type !== "" && <option>{values.type}</option>}
        </>,
      )}
      {choice("actor", t("Caused by"), <Options any={t("Caused by anyone")} options={ACTORS} />)}
      {isManager && choice("delivery", t("Deliveries"), <Options any={t("Any delivery")} options={STATES} />)}
      {choice(
        "time",
        t("Time"),
        SPANS.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        )),
      )}
      <ConversationNumber value={values.conversation} onChange={(conversation) => onChange({ conversation })} />
    </search>
  );
}

const Options = ({ any, options }: { any: string; options: Record<string, string> }) => (
  <>
    <option value="">{any}</option>
    {Object.entries(options).map(([value, title]) => (
      <option key={value} value={value}>
        {title}
      </option>
    ))}
  </>
);

/** The address follows when typing pauses. */
function ConversationNumber({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useDelayedText(value, onChange);
  return (
    <Input
      className={css.number}
      aria-label={t("Conversation")}
      placeholder={t("Conversation number")}
      inputMode="numeric"
      maxLength={15}
      value={text}
      onChange={(event) => setText(event.target.value.replaceAll(/\D/g, ""))}
    />
  );
}
