import type { ReactNode } from "react";
import { usePageTitle } from "../lib/use-page-title.ts";
import { Logo } from "./logo.tsx";
import css from "./public-page.module.css";

interface PublicPageProps {
  title: string;
  lead?: ReactNode;
  foot?: ReactNode;
  children: ReactNode;
}

/** A page for people who are not signed in: one card in the middle. */
export function PublicPage({ title, lead, foot, children }: PublicPageProps) {
  usePageTitle(title);
  return (
    <main className={css.page}>
      <div className={css.inside}>
        <div className={css.brand}>
          <Logo />
          Parley
        </div>
        <div className={css.card}>
          <div>
            <h1>{title}</h1>
            {lead && <p className={css.lead}>{lead}</p>}
          </div>
          {children}
        </div>
        {foot && <p className={css.foot}>{foot}</p>}
      </div>
    </main>
  );
}
