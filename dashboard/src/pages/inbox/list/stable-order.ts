import { useEffect, useMemo, useRef, useState } from "react";
import type { Conversation } from "../../../api/conversations.ts";

/**
 * Rows never move under the pointer. While the list is scrolled or pointed at, it keeps its order and new rows are only
 * counted; `show` takes the current order over.
 */
export function useStableOrder(
  rows: readonly Conversation[],
  { held, resetKey }: { held: boolean; resetKey: string },
): { rows: readonly Conversation[]; newCount: number; show: () => void } {
  const order = useRef<{ key: string; ids: number[] }>({ key: "", ids: [] });
  const [, redraw] = useState(0);
  const isKept = held && order.current.key === resetKey && order.current.ids.length > 0;

  const shown = useMemo(() => {
    if (!isKept) return { rows, newCount: 0 };
    const position = new Map(order.current.ids.map((id, index) => [id, index]));
    const known = rows.filter(({ id }) => position.has(id));
    known.sort((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0));
    // Pages that were read further down are not new: they follow the last known row.
    const lastKnown = rows.findLastIndex(({ id }) => position.has(id));
    const below = rows.slice(lastKnown + 1);
    const newCount = rows.slice(0, lastKnown + 1).filter(({ id }) => !position.has(id)).length;
    return { rows: [...known, ...below], newCount };
  }, [rows, isKept]);

  useEffect(() => {
    order.current = { key: resetKey, ids: shown.rows.map(({ id }) => id) };
  }, [shown, resetKey]);

  return {
    ...shown,
    show: () => {
      order.current = { key: "", ids: [] };
      redraw((count) => count + 1);
    },
  };
}
