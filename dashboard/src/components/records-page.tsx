import type { ReactNode } from "react";
import type { useRecords } from "../api/records.ts";
import { Loaded } from "./loaded.tsx";
import { Card, Page } from "./page.tsx";
import css from "./records-page.module.css";
import { ShowMore } from "./show-more.tsx";
import { EmptyState, SkeletonRows } from "./states.tsx";
import { Table } from "./table.tsx";

interface RecordsPageProps<Item> {
  title: string;
  description: string;
  query: ReturnType<typeof useRecords<Item>>;
  /** Leads to the form for a new one. */
  create: ReactNode;
  /** What is said while there is none. */
  empty: { icon: ReactNode; title: string; text: string };
  columns: readonly string[];
  row: (item: Item) => ReactNode;
}

/** A page of the settings that lists one kind of record, all of them. */
export function RecordsPage<Item>({ title, description, query, create, empty, columns, row }: RecordsPageProps<Item>) {
  return (
    <Page title={title} description={description} actions={query.data?.length === 0 ? undefined : create}>
      <Card>
        <Loaded query={query} skeleton={<SkeletonRows />}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={empty.icon} title={empty.title} actions={create}>
                {empty.text}
              </EmptyState>
            ) : (
              <Table label={title} columns={columns} linked>
                {items.map(row)}
              </Table>
            )
          }
        </Loaded>
        <ShowMore query={query} className={css.more} />
      </Card>
    </Page>
  );
}
