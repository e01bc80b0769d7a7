import { ChevronDown, ChevronsUp, ChevronUp, Equal } from "lucide-react";
import type { Priority } from "../../api/conversations.ts";
import css from "./list.module.css";

const ICONS = { low: ChevronDown, medium: Equal, high: ChevronUp, urgent: ChevronsUp } as const;

export const PRIORITIES: readonly { value: NonNullable<Priority> | "none"; title: string }[] = [
  { value: "urgent", title: "Urgent" },
  { value: "high", title: "High" },
  { value: "medium", title: "Medium" },
  { value: "low", title: "Low" },
  { value: "none", title: "No priority" },
];

export function PriorityIcon({ priority }: { priority: NonNullable<Priority> }) {
  const Icon = ICONS[priority];
  return (
    <span className={css.priority} data-priority={priority} title={`Priority: ${priority}`}>
      <Icon size={14} aria-label={`Priority ${priority}`} />
    </span>
  );
}
