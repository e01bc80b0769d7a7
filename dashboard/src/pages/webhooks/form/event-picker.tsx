import { CircleAlert } from "lucide-react";
import { useId, useState } from "react";
import { useEventTypes } from "../../../api/catalogue.ts";
import { Choices, SearchInput } from "../../../components/field.tsx";
import { ErrorState, SkeletonRows } from "../../../components/states.tsx";
import { t } from "../../../lib/texts.ts";
import { EventGroupBox } from "./event-group.tsx";
import { groupsOf } from "./event-names.ts";
import css from "./form.module.css";

interface EventPickerProps {
  value: readonly string[];
  onChange: (names: string[]) => void;
  error: readonly string[] | undefined;
}

/** Everything, whole groups, or single events, from the catalogue. */
export function EventPicker({ value, onChange, error }: EventPickerProps) {
  const all = value.includes("*");
  const [chosen, setChosen] = useState(value.filter((name) => name !== "*"));
  const id = useId();
  const choose = (names: string[]) => {
    setChosen(names);
    onChange(names);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the choices inside are a fieldset already
    <div role="group" aria-labelledby={`${id}-label`} className={css.picker} data-field="events" tabIndex={-1}>
      <span id={`${id}-label`} className="visually-hidden">
        {t("Events")}
      </span>
      <Choices
        label={t("Which events")}
        name="which-events"
        className={css.pair}
        value={all ? "all" : "some"}
        onChange={(which) => onChange(which === "all" ? ["*"] : chosen)}
        options={[
          { value: "some", title: t("Chosen events"), hint: t("Whole groups or single events.") },
          {
            value: "all",
            title: (
              <>
                {t("All events")} <code>*</code>
              </>
            ),
            hint: t("Includes events that later versions add."),
          },
        ]}
      />
      {error?.[0] && (
        <p className={css.error} role="alert">
          <CircleAlert size={14} aria-hidden />
          {error[0]}
        </p>
      )}
      {!all && <Catalogue value={value} onChange={choose} />}
    </div>
  );
}

function Catalogue({ value, onChange }: { value: readonly string[]; onChange: (names: string[]) => void }) {
  const [search, setSearch] = useState("");
  const catalogue = useEventTypes();
  if (!catalogue.data)
    return catalogue.error ? (
      <ErrorState error={catalogue.error} onRetry={() => catalogue.refetch()} />
    ) : (
      <SkeletonRows rows={14} />
    );
  const groups = groupsOf(catalogue.data, search);
  return (
    <div className={css.catalogue}>
      <div className={css.catalogueSearch}>
        <SearchInput
          label={t("Search events")}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      </div>
      {groups.map((group) => (
        <EventGroupBox
          key={group.name}
          group={group}
          value={value}
          onChange={onChange}
          narrowed={search.trim() !== ""}
        />
      ))}
      {groups.length === 0 && (
        <p className={css.nothing}>{t("No event matches “{search}”.", { search: search.trim() })}</p>
      )}
    </div>
  );
}
