import { useEffect } from "react";
import { useLocation } from "wouter";

const positions = new Map<string, number>();
const POSITIONS_MAX = 100;
/** How long a page that loads its content may take to become long enough. */
const RESTORE_MS_MAX = 3_000;

let cameByHistory = false;
window.addEventListener("popstate", () => {
  cameByHistory = true;
});

/** Back or Forward led to the page that is being shown for the first time now. */
export const isHistoryMove = (): boolean => cameByHistory;

/** Each entry of the history keeps its position under an id of its own, in its state. */
function entryId(): string {
  const state = history.state as { entry?: string } | null;
  if (state?.entry) return state.entry;
  const entry = crypto.getRandomValues(new Uint32Array(2)).join("-");
  history.replaceState({ ...state, entry }, "");
  return entry;
}

/** Opens a new page at its top, and returns to the position a page had when Back or Forward leads to it. */
export function useScrollMemory(): void {
  const [path] = useLocation();
  useEffect(() => {
    history.scrollRestoration = "manual";
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page has its own position
  useEffect(() => {
    const id = entryId();
    const wanted = cameByHistory ? (positions.get(id) ?? 0) : 0;
    cameByHistory = false;
    const stop = scrollWhenLongEnough(wanted);
    const remember = () => {
      positions.delete(id);
      positions.set(id, window.scrollY);
      if (positions.size > POSITIONS_MAX) positions.delete(positions.keys().next().value as string);
    };
    // The position is read while the page is still there: afterwards the next one has already shortened it.
    window.addEventListener("scroll", remember, { passive: true });
    return () => {
      stop();
      window.removeEventListener("scroll", remember);
    };
  }, [path]);
}

function scrollWhenLongEnough(wanted: number): () => void {
  window.scrollTo(0, wanted);
  if (wanted === 0) return () => {};
  const startedAt = performance.now();
  const watch = new ResizeObserver(() => {
    if (window.scrollY !== wanted) window.scrollTo(0, wanted);
    if (window.scrollY === wanted || performance.now() - startedAt > RESTORE_MS_MAX) watch.disconnect();
  });
  watch.observe(document.body);
  // A user who scrolls by hand has decided.
  const cancel = () => watch.disconnect();
  window.addEventListener("wheel", cancel, { once: true, passive: true });
  window.addEventListener("keydown", cancel, { once: true });
  return cancel;
}
