import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { t } from "../lib/texts.ts";
import css from "./table.module.css";

interface TableProps {
  /** What the table lists, for screen readers. */
  label: string;
  /** "": the buttons of each row. */
  columns: readonly ReactNode[];
  /** Each row's first cell holds a link; the whole row leads there. */
  linked?: boolean;
  children: ReactNode;
}

/**
 * On narrow screens each row becomes a card: give every `<td>` but the first a `data-label` with its column's name, or
 * `data-corner` to put it at the card's top right. The rows are `<tr>` elements in `children`.
 */
export const Table = ({ label, columns, linked, children }: TableProps) => (
  <div className={css.scroll}>
    <table className={cx(css.table, css.stack, linked && css.linked)} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a table's columns do not move
            <th key={index} scope="col">
              {column || <span className="visually-hidden">{t("Actions")}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
