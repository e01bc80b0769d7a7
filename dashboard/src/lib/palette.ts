type Open = (text: string) => void;

const listeners = new Set<Open>();

/** Called with the text to search for. */
export function onPaletteRequest(open: Open): () => void {
  listeners.add(open);
  return () => void listeners.delete(open);
}

/** Opens the search over everything, from a place that has found nothing by itself. */
export const requestPalette: Open = (text) => {
  for (const open of listeners) open(text);
};
