import { useEffect, useState } from "react";
import { onSessionEnd } from "../api/client.ts";
import { cx } from "../lib/cx.ts";
import { t } from "../lib/texts.ts";
import css from "./live-indicator.module.css";
import { useLiveState } from "./use-live.ts";

/** Whether the page receives live updates: live, catching up, offline. */
export function LiveIndicator() {
  const state = useLiveState();
  const [isRemoved, setRemoved] = useState(false);
  useEffect(() => onSessionEnd((why) => why === "removed" && setRemoved(true)), []);
  // A removed member's page waits for no connection.
  if (isRemoved || state.kind === "unavailable") return null;
  return (
    <p className={cx(css.indicator, css[state.kind])} role="status" data-live={state.kind}>
      <span className={css.dot} aria-hidden />
      <span className={css.label}>{labelOf(state)}</span>
    </p>
  );
}

function labelOf(state: ReturnType<typeof useLiveState>): string {
  switch (state.kind) {
    case "live":
      return t("Live");
    case "catching-up":
      return state.events > 0 ? t("Catching up ({events})", { events: state.events }) : t("Catching up");
    case "offline":
      return t("Offline, reconnecting");
    default:
      return t("Connecting");
  }
}
