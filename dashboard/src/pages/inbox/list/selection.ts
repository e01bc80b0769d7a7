import { useCallback, useMemo, useState } from "react";

/** Which row the keys act on, and which rows are ticked. */
export interface InboxSelection {
  current: number | null;
  selected: ReadonlySet<number>;
  setCurrent: (id: number | null) => void;
  toggle: (id: number) => void;
  /** Ticks these in addition to what is ticked already. */
  select: (ids: readonly number[]) => void;
  clear: () => void;
}

export function useInboxSelection(): InboxSelection {
  const [current, setCurrent] = useState<number | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback((id: number) => setSelected((before) => toggled(before, id)), []);
  const select = useCallback((ids: readonly number[]) => setSelected((before) => new Set([...before, ...ids])), []);
  const clear = useCallback(() => setSelected(new Set()), []);
  return useMemo(
    () => ({ current, selected, setCurrent, toggle, select, clear }),
    [current, selected, toggle, select, clear],
  );
}

function toggled(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
