import { ChevronDown, ChevronsUp, ChevronUp, Equal } from "lucide-react";
import type { Priority } from "../../api/conversations.ts";
import { t } from "../../lib/texts.ts";
import css from "./list/list.module.css";

const ICONS = { low: ChevronDown, medium: Equal, high: ChevronUp, urgent: ChevronsUp } as const;

export const PRIORITIES: readonly { value: NonNullable<Priority> | "none"; title: string }[] = [
  { value: "urgent", title: t("Urgent") },
  { value: "high", title: t("High") },
  { value: "medium", title: t("Medium") },
  { value: "low", title: t("Low") },
  { value: "none", title: t("No priority") },
];

export const toPriority = (value: NonNullable<Priority> | "none"): Priority => (value === "none" ? null : value);

export const priorityName = (priority: NonNullable<Priority>): string =>
  t("Priority: {priority}", { priority: PRIORITIES.find(({ value }) => value === priority)?.title ?? priority });

/** `isDecorative`: the text around it says the same. */
export function PriorityIcon({
  priority,
  isDecorative = false,
}: {
  priority: NonNullable<Priority>;
  isDecorative?: boolean;
}) {
  const Icon = ICONS[priority];
  const title = isDecorative ? undefined : priorityName(priority);
  const words = isDecorative ? { "aria-hidden": true } : { "aria-label": title };
  return (
    <span className={css.priority} data-priority={priority} title={title}>
      <Icon size={isDecorative ? 16 : 14} {...words} />
    </span>
  );
}
