import { useEffect, useEffectEvent, useState } from "react";

/**
 * Files may be dropped anywhere in the window: next to its target, the browser would open the file in place of the page.
 * Whether files are held over the window now. Dragged text stays with the browser, which drops it into the field.
 */
export function useFileDrop(onFiles: (files: FileList) => void): boolean {
  const [isOver, setOver] = useState(false);
  const dropped = useEffectEvent(onFiles);
  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: "dragover" | "dragleave" | "drop", act: (event: DragEvent, data: DataTransfer) => void) =>
      window.addEventListener(
        type,
        (event) => {
          if (!event.dataTransfer?.types.includes("Files")) return;
          event.preventDefault();
          act(event, event.dataTransfer);
        },
        { signal: stop.signal },
      );
    listen("dragover", () => setOver(true));
    listen("dragleave", ({ relatedTarget }) => relatedTarget === null && setOver(false));
    listen("drop", (_event, { files }) => {
      setOver(false);
      dropped(files);
    });
    return () => stop.abort();
  }, []);
  return isOver;
}
