import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Field, Input } from "../../../components/field.tsx";
import { t } from "../../../lib/texts.ts";
import css from "./form.module.css";
import { type UrlVerdict, useUrlCheck } from "./use-url-check.ts";

interface UrlFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** From saving; it goes when the text changes. */
  error: readonly string[] | undefined;
}

export function UrlField({ value, onChange, error }: UrlFieldProps) {
  const verdict = useUrlCheck(value.trim());
  const message = error ?? (verdict.state === "refused" ? verdict.message : null);
  return (
    <Field label={t("URL")} error={message} hint={<span role="status">{message ? null : hintOf(verdict)}</span>}>
      {(control) => (
        <Input
          {...control}
          name="url"
          mono
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/hooks/parley"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function hintOf({ state }: UrlVerdict): ReactNode {
  if (state === "checking") return t("Checking whether Parley can connect there…");
  if (state === "fine")
    return (
      <span className={css.fine}>
        <CircleCheck size={14} aria-hidden /> {t("Parley may connect to this address.")}
      </span>
    );
  if (state === "plain")
    return (
      <span className={css.caution}>
        <TriangleAlert size={14} aria-hidden />{" "}
        {t("Parley may connect to this address, but http is not encrypted. Use https if you can.")}
      </span>
    );
  if (state === "unresolved")
    return (
      <span className={css.caution}>
        <TriangleAlert size={14} aria-hidden />{" "}
        {t("This host name does not resolve. Check its spelling; deliveries fail until it has an address.")}
      </span>
    );
  return t(
    "Events are sent to this URL as POST requests. Private addresses are refused unless your server allows them.",
  );
}
