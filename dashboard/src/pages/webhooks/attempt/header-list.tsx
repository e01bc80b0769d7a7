import { t } from "../../../lib/texts.ts";
import css from "./attempt.module.css";
import { visibleText } from "./visible-text.ts";

interface HeaderListProps {
  headers: readonly { key: string; value: string }[];
  label: string;
}

export const HeaderList = ({ headers, label }: HeaderListProps) => (
  <>
    <h4>{t("Headers")}</h4>
    {headers.length === 0 ? (
      <p className={css.muted}>{t("None.")}</p>
    ) : (
      <table className={css.headers} aria-label={label}>
        <tbody>
          {headers.map(({ key, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name may come twice, and nothing moves
            <tr key={index}>
              <th scope="row">{visibleText(key)}</th>
              <td>{visibleText(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </>
);
