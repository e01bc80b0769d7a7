import { Link } from "wouter";
import { subjectOf, useEvents } from "../../api/events.ts";
import { Chip } from "../../components/badge.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Section } from "../../components/page.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { t } from "../../lib/texts.ts";
import css from "./overview.module.css";

const SHOWN = 10;

export function RecentEvents() {
  const events = useEvents({}, { limit: SHOWN });
  return (
    <Section title={t("Last events")} actions={<Link href="/events">{t("All events")}</Link>}>
      <Loaded query={events} skeleton={<SkeletonRows rows={SHOWN} />}>
        {(list) =>
          list.length === 0 ? (
            <p className={css.note}>{t("Nothing has happened yet.")}</p>
          ) : (
            <ul className={css.events}>
              {list.slice(0, SHOWN).map((event) => (
                <li key={event.id}>
                  <Chip>{event.type}</Chip>
                  <Link href={`/events?event=${event.id}`} className={css.what}>
                    {subjectOf(event)}
                  </Link>
                  <span className={css.note}>
                    <Time at={event.timestamp} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
