import { useEffect, useRef } from "react";
import { Chip } from "../../../components/badge.tsx";
import { Check } from "../../../components/field.tsx";
import { type EventGroup, groupTitle, withEvent, withGroup } from "./event-names.ts";
import css from "./form.module.css";

interface EventGroupBoxProps {
  group: EventGroup;
  value: readonly string[];
  onChange: (names: string[]) => void;
  /** A search is on: the group's other events are not shown, so the whole group is not offered. */
  narrowed: boolean;
}

/** A group's events; its own box selects all of them, including later ones. */
export function EventGroupBox({ group: { name, events }, value, onChange, narrowed }: EventGroupBoxProps) {
  const whole = value.includes(`${name}.*`);
  const some = events.some((event) => value.includes(event.name));
  return (
    <fieldset className={css.group}>
      <legend className="visually-hidden">{groupTitle(name)}</legend>
      {narrowed ? (
        <p className={css.groupTitle}>{groupTitle(name)}</p>
      ) : (
        <GroupCheck
          name={name}
          checked={whole}
          mixed={some && !whole}
          onChange={(selected) => onChange(withGroup(value, name, { selected }))}
        />
      )}
      <div className={css.events}>
        {events.map((event) => (
          <Check
            key={event.name}
            name={event.name}
            title={<span className={css.eventName}>{event.name}</span>}
            hint={event.description.replaceAll("`", "")}
            checked={whole || value.includes(event.name)}
            disabled={whole}
            onChange={({ target }) => onChange(withEvent(value, event.name, { selected: target.checked }))}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface GroupCheckProps {
  name: string;
  checked: boolean;
  mixed: boolean;
  onChange: (selected: boolean) => void;
}

function GroupCheck({ name, checked, mixed, onChange }: GroupCheckProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label className={css.groupCheck}>
      <input
        ref={box}
        type="checkbox"
        name={`${name}.*`}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{groupTitle(name)}</span>
      <Chip>{name}.*</Chip>
    </label>
  );
}
