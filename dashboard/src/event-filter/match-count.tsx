import type { WebhookPreview } from "@parley/client";
import { formatCount } from "../lib/format.ts";
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
  if (!hasEvents) return `Choose events to see what would have been ${verb}.`;
  if (!counted) return "";
  const { matched, examined, complete } = counted;
  if (examined === 0) return "There were no such events in the last 7 days.";
  const of = complete ? `${formatCount(examined)} events` : `the newest ${formatCount(examined)} events`;
  return `In the last 7 days this would have ${verb} ${formatCount(matched)} of ${of}.`;
}
