import { Pause, Play, Radio, SearchX } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { useEventTypes } from "../../api/catalogue.ts";
import { type Event, subjectOf, useEvents } from "../../api/events.ts";
import { Chip } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page } from "../../components/page.tsx";
import { EmptyState, SkeletonRows } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";
import { EventPanel } from "./event-panel.tsx";
import css from "./events.module.css";

const SPANS = [
  { value: "", title: "Any time", hours: 0 },
  { value: "1h", title: "Last hour", hours: 1 },
  { value: "24h", title: "Last 24 hours", hours: 24 },
  { value: "7d", title: "Last 7 days", hours: 168 },
];

/** Everything that happened, newest first, as it happens. */
export function EventsPage() {
  const [{ type, time }, change] = useSearchState(["type", "time"]);
  const [openedAt] = useState(() => Date.now());
  const [frozen, setFrozen] = useState<Event[] | null>(null);
  const hours = SPANS.find(({ value }) => value === time)?.hours ?? 0;
  const after = hours === 0 ? undefined : new Date(openedAt - hours * 3_600_000).toISOString();
  const events = useEvents({ type, created_after: after });
  return (
    <Page
      title="Events"
      description="Everything that happened in this workspace, and how it was delivered to your webhooks."
      actions={
        <Button
          icon={frozen ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          onClick={() => setFrozen(frozen ? null : (events.data ?? []))}
        >
          {frozen ? "Resume" : "Pause"}
        </Button>
      }
    >
      <Card>
        <Filters type={type} time={time} onChange={change} />
        <Loaded query={events} skeleton={<SkeletonRows rows={10} />}>
          {(live) => {
            const list = frozen ?? live;
            if (list.length > 0)
              return (
                <ul className={css.rows} aria-label="Events">
                  {list.map((event) => (
                    <EventRow key={event.id} event={event} />
                  ))}
                </ul>
              );
            return type === "" && time === "" ? (
              <EmptyState icon={<Radio size={20} />} title="No events yet">
                A new contact, a message, a changed conversation: each becomes an event, and appears here at once.
              </EmptyState>
            ) : (
              <EmptyState
                icon={<SearchX size={20} />}
                title="No event matches"
                actions={<Button onClick={() => change({ type: "", time: "" })}>Clear the filters</Button>}
              >
                New events that match appear here.
              </EmptyState>
            );
          }}
        </Loaded>
        {events.hasNextPage && !frozen && (
          <div className={css.more}>
            <Button busy={events.isFetchingNextPage} onClick={() => events.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </Card>
      <EventPanel />
    </Page>
  );
}

interface FiltersProps {
  type: string;
  time: string;
  onChange: (change: { type?: string; time?: string }) => void;
}

function Filters({ type, time, onChange }: FiltersProps) {
  const catalogue = useEventTypes().data ?? [];
  const groups = [...new Set(catalogue.map(({ name }) => `${name.split(".")[0]}.*`))];
  return (
    <search className={css.filters} aria-label="Filter events">
      <Select aria-label="Type" value={type} onChange={(event) => onChange({ type: event.target.value })}>
        <option value="">Any type</option>
        {groups.map((name) => (
          <option key={name}>{name}</option>
        ))}
        {catalogue.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
        {catalogue.length === 0 && type !== "" && <option>{type}</option>}
      </Select>
      <Select aria-label="Time" value={time} onChange={(event) => onChange({ time: event.target.value })}>
        {SPANS.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </Select>
    </search>
  );
}

/** One event. Its link covers the row and opens the event beside the list. */
function EventRow({ event }: { event: Event }) {
  const [path] = useLocation();
  const search = new URLSearchParams(useSearch());
  search.set("event", event.id);
  return (
    <li className={css.row} data-event={event.id}>
      <span className={css.time}>
        <Time at={event.timestamp} />
      </span>
      <span className={css.type}>
        <Chip>{event.type}</Chip>
      </span>
      <Link href={`${path}?${search}`} className={css.subject}>
        {subjectOf(event)}
      </Link>
      <span className={css.actor}>{actorOf(event.actor)}</span>
    </li>
  );
}

function actorOf({ type, id, name }: Event["actor"]): string {
  const kind = { contact: "Contact", user: "Member", api_key: "Key", bot: "Bot", system: "System" }[type];
  return name ?? (id === null ? kind : `${kind} ${id}`);
}
