import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import css from "./notice.module.css";

type Tone = "info" | "success" | "warning" | "danger";

const ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

const ROLES: Partial<Record<Tone, string>> = { danger: "alert", success: "status" };

interface NoticeProps {
  tone?: Tone;
  title?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** A sentence that must be seen, in place. Errors and successes are announced. */
export function Notice({ tone = "info", title, actions, children }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={cx(css.notice, css[tone])} role={ROLES[tone]}>
      <Icon size={16} aria-hidden />
      {title && <p className={css.title}>{title}</p>}
      {children && <div className={css.body}>{children}</div>}
      {actions && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
