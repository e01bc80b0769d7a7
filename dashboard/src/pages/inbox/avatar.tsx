import css from "./avatar.module.css";
import { hueOf, initialsOf } from "./names.ts";

/** The initials of a person, in a color of their own. Decoration: the name is next to it. */
export const Avatar = ({ name, size = "medium" }: { name: string; size?: "small" | "medium" | "large" }) => (
  <span className={css.avatar} data-hue={hueOf(name)} data-size={size} aria-hidden>
    {initialsOf(name)}
  </span>
);
