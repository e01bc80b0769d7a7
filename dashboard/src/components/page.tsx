import { ChevronLeft } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { cx } from "../lib/cx.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import css from "./page.module.css";

interface PageProps {
  title: string;
  /** Next to the title: a state. */
  badge?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; title: string };
  narrow?: boolean;
  children: ReactNode;
}

/** A page of the signed-in part: its heading, its actions, its body. Sets the document's title too. */
export function Page({ title, badge, description, actions, back, narrow, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className={cx(css.page, narrow && css.narrow)}>
      <header>
        {back && (
          <Link href={back.href} className={css.back}>
            <ChevronLeft size={14} aria-hidden />
            {back.title}
          </Link>
        )}
        <div className={css.header}>
          <div>
            <div className={css.titleRow}>
              <h1>{title}</h1>
              {badge}
            </div>
            {description && <p className={css.description}>{description}</p>}
          </div>
          {actions && <div className={css.actions}>{actions}</div>}
        </div>
      </header>
      {children}
    </div>
  );
}

/** A box without padding, for tables and lists. */
export const Card = ({ children }: { children: ReactNode }) => <div className={css.card}>{children}</div>;

/** What searches and filters the table below it, in the same card. */
export const Toolbar = ({ label, children }: { label?: string; children: ReactNode }) => (
  <search className={css.toolbar} aria-label={label}>
    {children}
  </search>
);

interface SectionProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The body brings its own padding: a table. */
  flush?: boolean;
}

/** A box with a heading. */
export function Section({ title, description, actions, children, flush }: SectionProps) {
  const id = useId();
  return (
    <section className={css.card} aria-labelledby={id}>
      <div className={css.cardHead}>
        <div>
          <h2 id={id}>{title}</h2>
          {description && <p className={css.cardDescription}>{description}</p>}
        </div>
        {actions}
      </div>
      {flush ? children : <div className={css.cardBody}>{children}</div>}
    </section>
  );
}

interface FactsProps {
  facts: readonly { name: string; value: ReactNode }[];
  /** Values that would be broken in half of a narrow screen, such as URLs. */
  long?: boolean;
}

/** Names and values, in columns. */
export const Facts = ({ facts, long }: FactsProps) => (
  <dl className={cx(css.facts, long && css.long)}>
    {facts.map(({ name, value }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
