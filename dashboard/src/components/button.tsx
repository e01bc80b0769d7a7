import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from "react";
import { Link } from "wouter";
import { cx } from "../lib/cx.ts";
import css from "./button.module.css";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger" | "dangerQuiet";

interface Look {
  variant?: ButtonVariant;
  size?: "small" | "medium" | "wide";
  /** A lucide icon at 16 px, before the words. */
  icon?: ReactNode;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  ref?: Ref<HTMLButtonElement>;
  /** In progress: ignores clicks and shows a spinner instead of the icon. It stays focusable, so that focus is not lost. */
  busy?: boolean;
}

export function Button({ variant, size, icon, busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...focusable({ ...rest, disabled: busy || rest.disabled })}
      aria-busy={busy || undefined}
      className={cx(classOf({ variant, size }), className)}
    >
      {busy ? <span className={css.spinner} /> : icon}
      {children}
    </button>
  );
}

/** A disabled button ignores clicks and keeps focus: often it is disabled by what it was just pressed for. */
function focusable({ disabled = false, onClick, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return {
    ...rest,
    "aria-disabled": disabled || undefined,
    onClick: (event: MouseEvent<HTMLButtonElement>) => (disabled ? event.preventDefault() : onClick?.(event)),
  };
}

/** Only an icon to see: `label` is what it is called. */
export function IconButton({
  label,
  icon,
  size,
  variant = "ghost",
  className,
  ...rest
}: ButtonProps & { label: string }) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...focusable(rest)}
      className={cx(classOf({ variant, size }), css.icon, className)}
    >
      {icon}
    </button>
  );
}

interface LinkButtonProps extends Look {
  href: string;
  /** Before it leads there. */
  onClick?: () => void;
  children: ReactNode;
}

/** A link that looks like a button. */
export function LinkButton({ variant, size, icon, children, ...link }: LinkButtonProps) {
  return (
    <Link {...link} className={classOf({ variant, size })}>
      {icon}
      {children}
    </Link>
  );
}

const classOf = ({
  variant = "secondary",
  size,
}: {
  variant?: ButtonVariant | undefined;
  size?: Look["size"] | undefined;
}): string => cx(css.button, css[variant], size === "small" && css.small, size === "wide" && css.wide);
