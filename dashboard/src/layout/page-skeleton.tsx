import css from "../components/page.module.css";
import { Skeleton, SkeletonRows } from "../components/states.tsx";

export const PageSkeleton = () => (
  <div className={css.page}>
    <div>
      <Skeleton width={160} height={22} />
    </div>
    <div className={css.card}>
      <SkeletonRows />
    </div>
  </div>
);
