import { CircleAlert, Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { Button, IconButton } from "../../../components/button.tsx";
import { Input } from "../../../components/field.tsx";
import { t } from "../../../lib/texts.ts";
import css from "./form.module.css";
import type { HeaderRow } from "./form-values.ts";

interface HeadersEditorProps {
  value: readonly HeaderRow[];
  onChange: (headers: HeaderRow[]) => void;
  /** Sentences of the server: `headers[1] must …`, counted without the empty rows. */
  error: readonly string[] | undefined;
}

/** Names and values sent with each delivery. */
export function HeadersEditor({ value, onChange, error = [] }: HeadersEditorProps) {
  const list = useRef<HTMLDivElement>(null);
  const filled = value.filter(({ key, value: text }) => key.trim() !== "" || text !== "");
  const problemAt = (header: HeaderRow): string | undefined => {
    const place = `headers[${filled.indexOf(header)}] `;
    return error.find((sentence) => sentence.startsWith(place))?.slice(place.length);
  };
  const change = (row: number, part: Partial<HeaderRow>) =>
    onChange(value.map((header) => (header.row === row ? { ...header, ...part } : header)));
  const add = () => {
    onChange([...value, { row: Math.max(0, ...value.map(({ row }) => row)) + 1, key: "", value: "" }]);
    requestAnimationFrame(() => [...(list.current?.querySelectorAll("input") ?? [])].at(-2)?.focus());
  };
  const general = error.filter((sentence) => !/^headers\[\d+\] /.test(sentence));
  return (
    <div className={css.headers} data-field="headers" ref={list}>
      {value.map((header, index) => {
        const problem = problemAt(header);
        return (
          <div key={header.row} className={css.header}>
            <Input
              mono
              aria-label={t("Name of header {index}", { index: index + 1 })}
              placeholder="X-Team"
              autoComplete="off"
              spellCheck={false}
              maxLength={128}
              value={header.key}
              aria-invalid={problem ? true : undefined}
              onChange={(event) => change(header.row, { key: event.target.value })}
            />
            <Input
              mono
              aria-label={t("Value of header {index}", { index: index + 1 })}
              placeholder={t("orders")}
              autoComplete="off"
              spellCheck={false}
              maxLength={4096}
              value={header.value}
              aria-invalid={problem ? true : undefined}
              onChange={(event) => change(header.row, { value: event.target.value })}
            />
            <IconButton
              label={t("Remove header {name}", { name: header.key || index + 1 })}
              icon={<Trash2 size={16} aria-hidden />}
              onClick={() => onChange(value.filter(({ row }) => row !== header.row))}
            />
            {problem && <Problem text={t("This header {problem}", { problem: problem.replace(/^\([^)]*\) /, "") })} />}
          </div>
        );
      })}
      {general.map((sentence) => (
        <Problem key={sentence} text={sentence} />
      ))}
      <div>
        <Button size="small" icon={<Plus size={14} aria-hidden />} onClick={add}>
          {t("Add header")}
        </Button>
      </div>
    </div>
  );
}

const Problem = ({ text }: { text: string }) => (
  <p className={css.error} role="alert">
    <CircleAlert size={14} aria-hidden />
    {text}
  </p>
);
