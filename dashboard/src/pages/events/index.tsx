import { Pause, Play, Radio, SearchX } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { type Event, type EventOutcome, subjectOf, useEventOutcomes, useEvents } from "../../api/events.ts";
import { useIsManager } from "../../api/session.ts";
import { Chip } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Card, Page } from "../../components/page.tsx";
import { ShowMore } from "../../components/show-more.tsx";
import { EmptyState, SkeletonRows } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { t } from "../../lib/texts.ts";
import { EventPanel } from "./event-panel.tsx";
import css from "./events.module.css";
import { Filters, useEventFilters } from "./filters.tsx";
import { Outcome } from "./outcome.tsx";

/** Everything that happened, newest first, as it happens. */
export function EventsPage() {
  const { values, filter, change, isFiltered, clear } = useEventFilters();
  const [paused, setPaused] = useState<{ events: Event[]; shown: string } | null>(null);
  const shown = JSON.stringify(values);
  // Another filter asks for other events: a list that stayed as it was would ignore it.
  if (paused && paused.shown !== shown) setPaused(null);
  const isManager = useIsManager();
  const events = useEvents(filter);
  return (
    <Page
      title={t("Events")}
      description={t("Everything that happened in this workspace, and how it was delivered to your webhooks.")}
      actions={
        <Button
          icon={paused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          onClick={() => setPaused(paused ? null : { events: events.data ?? [], shown })}
        >
          {paused ? t("Resume") : t("Pause")}
        </Button>
      }
    >
      <Card>
        <Filters values={values} onChange={change} />
        <Loaded query={events} skeleton={<SkeletonRows rows={10} />}>
          {(live) => {
            const list = paused?.events ?? live;
            if (list.length > 0) return <Rows events={list} showsOutcomes={isManager} />;
            return !isFiltered ? (
              <EmptyState icon={<Radio size={20} />} title={t("No events yet")}>
                {t(
                  "A new contact, a message, a changed conversation: each becomes an event, and appears here at once.",
                )}
              </EmptyState>
            ) : (
              <EmptyState
                icon={<SearchX size={20} />}
                title={t("No event matches")}
                actions={<Button onClick={clear}>{t("Clear the filters")}</Button>}
              >
                {t("New events that match appear here.")}
              </EmptyState>
            );
          }}
        </Loaded>
        {!paused && <ShowMore query={events} className={css.more} />}
      </Card>
      <EventPanel />
    </Page>
  );
}

/** Outcomes are asked for page by page: those of older pages do not change with every new event. */
const OUTCOMES_PAGE = 50;

function Rows({ events, showsOutcomes }: { events: readonly Event[]; showsOutcomes: boolean }) {
  const pages = Array.from({ length: Math.ceil(events.length / OUTCOMES_PAGE) }, (_, page) =>
    events.slice(page * OUTCOMES_PAGE, (page + 1) * OUTCOMES_PAGE),
  );
  return (
    <ul className={css.rows} aria-label={t("Events")}>
      {pages.map((page, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page is its position
        <RowsOfPage key={index} events={page} showsOutcomes={showsOutcomes} />
      ))}
    </ul>
  );
}

function RowsOfPage({ events, showsOutcomes }: { events: readonly Event[]; showsOutcomes: boolean }) {
  const ids = events.map(({ id }) => id);
  const outcomes = useEventOutcomes(ids, { enabled: showsOutcomes }).data;
  return events.map((event) => <EventRow key={event.id} event={event} outcome={outcomes?.get(event.id)} />);
}

/** One event. Its link covers the row and opens the event next to the list. */
function EventRow({ event, outcome }: { event: Event; outcome: EventOutcome | undefined }) {
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
      <Outcome outcome={outcome} />
    </li>
  );
}

function actorOf({ type, id, name }: Event["actor"]): string {
  const kind = { contact: t("Contact"), user: t("Member"), api_key: t("Key"), bot: t("Bot"), system: t("System") }[
    type
  ];
  return name ?? (id === null ? kind : `${kind} ${id}`);
}
