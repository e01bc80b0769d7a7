import { useEffect, useState } from "react";
import { formatDay, formatExact, formatPoint, formatRelative } from "../lib/time.ts";

const FORMS = { relative: formatRelative, day: formatDay, point: formatPoint };

interface TimeProps {
  at: string;
  /** `relative` keeps itself current; `point` follows "since" and "until". */
  form?: keyof typeof FORMS;
}

/** In the reader's zone, with the exact time in the title. */
export function Time({ at, form = "relative" }: TimeProps) {
  const date = new Date(at);
  const [, tick] = useState(0);
  useEffect(() => {
    if (form !== "relative") return;
    const timer = setInterval(() => tick((count) => count + 1), 30_000);
    return () => clearInterval(timer);
  }, [form]);
  return (
    <time dateTime={at} title={formatExact(date)}>
      {FORMS[form](date)}
    </time>
  );
}
