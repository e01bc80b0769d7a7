import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { DraftFile } from "../../../api/drafts.ts";
import { randomId } from "../../../lib/random-id.ts";
import { t } from "../../../lib/texts.ts";

export interface Upload {
  key: string;
  name: string;
  size: number;
  /** From 0 to 1. */
  share: number;
  error: string | null;
  /** It has arrived, and waits for files that were chosen before it. */
  file: DraftFile | null;
}

interface Uploads {
  list: readonly Upload[];
  isBusy: boolean;
  /** The names of those that the server does not have. */
  refused: readonly string[];
  add: (files: FileList) => void;
  remove: (key: string) => void;
}

/**
 * Files on their way to the server, and those that did not get there. They belong to one conversation's composer and go
 * when it is left; a file that has arrived is part of the draft.
 */
export function useUploads(onUploaded: (file: DraftFile) => void): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const running = useRef(new Map<string, AbortController>());
  // An upload ends long after the render that began it.
  const uploaded = useRef(onUploaded);
  useLayoutEffect(() => {
    uploaded.current = onUploaded;
  }, [onUploaded]);

  const latest = useRef<readonly Upload[]>([]);
  const update = useCallback((next: readonly Upload[]) => {
    // Files join the draft in the order in which they were chosen, whichever arrives first.
    const waiting = next.findIndex(({ file, error }) => file === null && error === null);
    const inOrder = waiting === -1 ? next : next.slice(0, waiting);
    latest.current = next.filter((one) => one.file === null || !inOrder.includes(one));
    setList(latest.current);
    for (const { file } of inOrder) if (file) uploaded.current(file);
  }, []);
  const change = useCallback(
    (key: string, patch: Partial<Upload>) =>
      update(latest.current.map((one) => (one.key === key ? { ...one, ...patch } : one))),
    [update],
  );
  const add = useCallback(
    (files: FileList) => {
      for (const file of files) {
        const key = randomId();
        const stop = new AbortController();
        running.current.set(key, stop);
        const error = file.size === 0 ? t("Empty") : null;
        update([...latest.current, { key, name: file.name, size: file.size, share: 0, error, file: null }]);
        if (error) continue;
        const onProgress = (share: number) => change(key, { share: Math.min(0.99, share) });
        // Loaded with the first file, so that a conversation opens with less.
        import("../../../api/files.ts")
          .then(({ uploadFile }) => uploadFile(file, { signal: stop.signal, onProgress }))
          .then((arrived) => change(key, { share: 1, file: arrived }))
          .catch((error: Error) => change(key, { error: error.message }))
          .finally(() => running.current.delete(key));
      }
    },
    [change, update],
  );
  const remove = useCallback(
    (key: string) => {
      running.current.get(key)?.abort();
      update(latest.current.filter((one) => one.key !== key));
    },
    [update],
  );

  useEffect(() => {
    const started = running.current;
    return () => {
      for (const stop of started.values()) stop.abort();
    };
  }, []);

  return useMemo(
    () => ({
      list,
      isBusy: list.some(({ error }) => error === null),
      refused: list.flatMap(({ name, error }) => (error ? [name] : [])),
      add,
      remove,
    }),
    [list, add, remove],
  );
}
