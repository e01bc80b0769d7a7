import { useEffect, useState } from "react";
import { language } from "../../../lib/language.ts";
import { serverNow } from "../../../lib/server-clock.ts";

/** What the contact's clock shows: before one calls them. */
export function LocalTime({ timeZone }: { timeZone: string }) {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 15_000);
    return () => clearInterval(timer);
  }, []);
  const text = new Intl.DateTimeFormat(language, {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(now);
  return <time title={timeZone}>{text}</time>;
}
