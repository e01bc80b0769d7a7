import { useEffect, useRef, useState } from "preact/hooks";
import type { ViewProps } from "./app.tsx";

type Name = "name" | "email";

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Asks for name and e-mail address: before the first message where they are required, after it where they are welcome. */
export function ContactForm({ state, chat }: ViewProps) {
  const { settings, texts, asking, visitor } = state;
  const isRequired = asking === "required";
  const [faults, setFaults] = useState<Partial<Record<Name, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const wanted: Record<Name, string> = { name: settings.ask_name, email: settings.ask_email };
  // Before the first message what is optional may be filled in too; after it only what is missing is asked for.
  const fields = (["name", "email"] as const).filter((name) => wanted[name] !== "no" && !visitor[name]);
  useEffect(() => {
    if (isRequired) form.current?.querySelector("input")?.focus();
  }, [isRequired]);

  const submit = (event: Event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const values: Partial<Record<Name, string>> = {};
    const found: Partial<Record<Name, string>> = {};
    for (const name of fields) {
      const value = String(data.get(name) ?? "").trim();
      if (value) values[name] = value;
      if (isRequired && wanted[name] === "required" && !value) found[name] = texts.missing;
      if (name === "email" && value && !ADDRESS.test(value)) found[name] = texts.invalidEmail;
    }
    setFaults(found);
    const [first] = Object.keys(found);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    else chat.fillIn(Object.keys(values).length > 0 ? values : null);
  };

  return (
    <form class="contact" noValidate onSubmit={submit} ref={form}>
      <p>{isRequired ? texts.askRequired : texts.askOptional}</p>
      {fields.map((name) => (
        <label key={name}>
          <span>
            {texts[name]}
            {isRequired && wanted[name] === "optional" && ` (${texts.optional})`}
          </span>
          <input
            name={name}
            inputMode={name === "email" ? "email" : "text"}
            autoCapitalize={name === "email" ? "off" : "words"}
            autoComplete={name}
            maxLength={255}
            aria-invalid={faults[name] ? true : undefined}
            aria-describedby={faults[name] ? `fault-${name}` : undefined}
          />
          {faults[name] && (
            <small id={`fault-${name}`} class="problem">
              {faults[name]}
            </small>
          )}
        </label>
      ))}
      <div class="actions">
        <button type="submit" class="primary">
          {isRequired ? texts.continue : texts.save}
        </button>
        {!isRequired && (
          <button type="button" class="secondary" onClick={() => chat.fillIn(null)}>
            {texts.noThanks}
          </button>
        )}
      </div>
    </form>
  );
}
