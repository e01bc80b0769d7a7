import { Skeleton } from "../../components/states.tsx";
import { t } from "../../lib/texts.ts";
import css from "./skeletons.module.css";

const ROWS = [62, 48, 70, 55, 66, 44, 58, 50];
const BUBBLES = [
  { side: "in", width: "58%" },
  { side: "in", width: "42%" },
  { side: "out", width: "52%" },
  { side: "in", width: "64%" },
] as const;

/** In the shape of the rows that follow. */
export const ListSkeleton = () => (
  <div role="status" aria-label={t("Loading")}>
    {ROWS.map((width) => (
      <div key={width} className={css.row}>
        <span className={css.avatar} />
        <span className={css.lines}>
          <Skeleton width={`${width}%`} />
          <Skeleton width="90%" />
        </span>
      </div>
    ))}
  </div>
);

export const ThreadSkeleton = () => (
  <div className={css.thread} role="status" aria-label={t("Loading")}>
    {BUBBLES.map(({ side, width }) => (
      <span key={width} className={css.bubble} data-side={side} style={{ width }}>
        <Skeleton height={44} />
      </span>
    ))}
  </div>
);
