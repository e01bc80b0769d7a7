import { useCallback, useMemo, useState } from "react";

/** Which row the keys act on, which rows are ticked, and where the person left something unsent. */
export interface InboxSelection {
  current: number | null;
  selected: ReadonlySet<number>;
  drafts: ReadonlySet<number>;
  setCurrent: (id: number | null) => void;
  toggle: (id: number) => void;
  /** Ticks these in addition to what is ticked already. */
  select: (ids: readonly number[]) => void;
  clear: () => void;
  setDraft: (id: number, present: boolean) => void;
}

export function useInboxSelection(): InboxSelection {
  const [current, setCurrent] = useState<number | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [drafts, setDrafts] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback((id: number) => setSelected((before) => withItem(before, id, !before.has(id))), []);
  const select = useCallback((ids: readonly number[]) => setSelected((before) => new Set([...before, ...ids])), []);
  const clear = useCallback(() => setSelected(new Set()), []);
  const setDraft = useCallback(
    (id: number, present: boolean) =>
      setDrafts((before) => (before.has(id) === present ? before : withItem(before, id, present))),
    [],
  );
  return useMemo(
    () => ({ current, selected, drafts, setCurrent, toggle, select, clear, setDraft }),
    [current, selected, drafts, toggle, select, clear, setDraft],
  );
}

function withItem(set: ReadonlySet<number>, id: number, present: boolean): ReadonlySet<number> {
  const next = new Set(set);
  if (present) next.add(id);
  else next.delete(id);
  return next;
}
