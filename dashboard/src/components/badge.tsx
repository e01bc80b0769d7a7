import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import css from "./badge.module.css";

export type BadgeTone = "neutral" | "success" | "warning" | "danger" | "info" | "accent";

/** A state or a kind, in a word. `dot` for states. */
export const Badge = ({
  tone = "neutral",
  dot,
  children,
}: {
  tone?: BadgeTone;
  dot?: boolean;
  children: ReactNode;
}) => <span className={cx(css.badge, css[tone], dot && css.dot)}>{children}</span>;

/** A name of the API: a scope, an event. */
export const Chip = ({ children }: { children: ReactNode }) => <span className={css.chip}>{children}</span>;
