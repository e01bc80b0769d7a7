import type { WebhookPreview } from "@parley/client";
import { plural, t } from "../../../lib/texts.ts";
import css from "./event-filter.module.css";

interface MatchCountProps {
  /** Absent: not known yet. */
  counted: WebhookPreview | undefined;
  hasEvents: boolean;
  /** What happens to the events that match. */
  verb: "sent" | "shown";
}

/** What the filter would have meant for the events that are stored, said again while it is typed. */
export const MatchCount = (props: MatchCountProps) => (
  <p className={css.count} role="status" data-preview>
    {sentence(props)}
  </p>
);

function sentence({ counted, hasEvents, verb }: MatchCountProps): string {
  const isSent = verb === "sent";
  if (!hasEvents)
    return isSent
      ? t("Choose events to see what would have been sent.")
      : t("Choose events to see what would have been shown.");
  if (!counted) return "";
  const { matched, examined: n, complete } = counted;
  if (n === 0) return t("There were no such events in the last 7 days.");
  if (!complete)
    return isSent
      ? t("In the last 7 days this would have sent {matched} of the newest {n} events.", { matched, n })
      : t("In the last 7 days this would have shown {matched} of the newest {n} events.", { matched, n });
  const values = { matched };
  return isSent
    ? plural(
        n,
        "In the last 7 days this would have sent {matched} of {n} event.",
        "In the last 7 days this would have sent {matched} of {n} events.",
        values,
      )
    : plural(
        n,
        "In the last 7 days this would have shown {matched} of {n} event.",
        "In the last 7 days this would have shown {matched} of {n} events.",
        values,
      );
}
