import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { UploadedFile } from "../../api/files.ts";

export interface Upload {
  key: string;
  name: string;
  size: number;
  /** From 0 to 1. */
  share: number;
  error: string | null;
  file: UploadedFile | null;
}

export interface Uploads {
  list: readonly Upload[];
  done: readonly UploadedFile[];
  isBusy: boolean;
  add: (files: FileList) => void;
  remove: (key: string) => void;
  clear: () => void;
  /** Files of a message that was taken back. */
  restore: (files: readonly UploadedFile[]) => void;
}

/** Files on their way to the server. They belong to one conversation's composer and go when it is left. */
export function useUploads(): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const running = useRef(new Map<string, AbortController>());

  const change = useCallback(
    (key: string, patch: Partial<Upload>) =>
      setList((before) => before.map((one) => (one.key === key ? { ...one, ...patch } : one))),
    [],
  );
  const add = useCallback(
    (files: FileList) => {
      for (const file of files) {
        const key = crypto.randomUUID();
        const stop = new AbortController();
        running.current.set(key, stop);
        setList((before) => [...before, { key, name: file.name, size: file.size, share: 0, error: null, file: null }]);
        const onProgress = (share: number) => change(key, { share: Math.min(0.99, share) });
        // Loaded with the first file, so that a conversation opens with less.
        import("../../api/files.ts")
          .then(({ uploadFile }) => uploadFile(file, { signal: stop.signal, onProgress }))
          .then((uploaded) => change(key, { share: 1, file: uploaded }))
          .catch((error: Error) => change(key, { error: error.message }))
          .finally(() => running.current.delete(key));
      }
    },
    [change],
  );
  const remove = useCallback((key: string) => {
    running.current.get(key)?.abort();
    setList((before) => before.filter((one) => one.key !== key));
  }, []);
  const clear = useCallback(() => setList([]), []);
  const restore = useCallback(
    (files: readonly UploadedFile[]) =>
      setList((before) => [
        ...before,
        ...files.map((file) => ({
          key: String(file.id),
          name: file.name,
          size: file.size_bytes,
          share: 1,
          error: null,
          file,
        })),
      ]),
    [],
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
      done: list.flatMap(({ file }) => (file ? [file] : [])),
      isBusy: list.some(({ file, error }) => !file && !error),
      add,
      remove,
      clear,
      restore,
    }),
    [list, add, remove, clear, restore],
  );
}
