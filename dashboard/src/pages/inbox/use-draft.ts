import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { deleteDraft, ownDraft, saveDraft, useDrafts } from "../../api/drafts.ts";
import { draftKeys } from "../../api/query-keys.ts";

const SAVE_AFTER_MS = 700;

export interface DraftState {
  text: string;
  isNote: boolean;
  status: "idle" | "saving" | "saved" | "failed";
  setText: (text: string) => void;
  setNote: (isNote: boolean) => void;
  /** Saves what is not saved yet, without the pause. */
  saveNow: () => void;
  /** The text was sent: the draft is deleted. */
  clear: () => void;
  /** Puts a text that was taken back into the field. */
  restore: (text: string, isNote: boolean) => void;
}

interface Content {
  text: string;
  isNote: boolean;
}

const EMPTY: Content = { text: "", isNote: false };

/**
 * What the person is writing in one conversation: in the field at once, on the server after a pause, so that it is there on
 * every device. The server's text is taken over only while nothing was typed here.
 */
export function useDraft(conversation: number): DraftState {
  const client = useQueryClient();
  const drafts = useDrafts(conversation);
  const stored = ownDraft(drafts.data);
  const [content, setContent] = useState<Content>(EMPTY);
  const [status, setStatus] = useState<DraftState["status"]>("idle");
  const touched = useRef(false);
  const unsaved = useRef<Content | null>(null);
  /** What was typed or cleared last. */
  const latest = useRef<Content>(EMPTY);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** One write at a time, the latest last. */
  const writing = useRef<Promise<unknown>>(Promise.resolve());

  const storedBody = stored?.body ?? "";
  const storedNote = stored?.private ?? false;
  useEffect(() => {
    if (!touched.current) setContent({ text: storedBody, isNote: storedNote });
  }, [storedBody, storedNote]);

  const write = useCallback(
    (next: Content) => {
      writing.current = writing.current.then(async () => {
        try {
          if (next.text.trim() === "") {
            const own = ownDraft(client.getQueryData(draftKeys.list(conversation)));
            if (own) await deleteDraft(conversation, own.id);
          } else await saveDraft(conversation, { body: next.text, private: next.isNote, attachments: [] });
          setStatus(next.text.trim() === "" ? "idle" : "saved");
          await client.invalidateQueries({ queryKey: draftKeys.all(conversation) });
        } catch {
          setStatus("failed");
          unsaved.current ??= next;
        }
      });
    },
    [client, conversation],
  );

  const saveNow = useCallback(() => {
    clearTimeout(timer.current);
    const next = unsaved.current;
    unsaved.current = null;
    if (next) write(next);
  }, [write]);

  useEffect(() => {
    window.addEventListener("pagehide", saveNow);
    return () => {
      window.removeEventListener("pagehide", saveNow);
      saveNow();
    };
  }, [saveNow]);

  const change = useCallback(
    (next: Content) => {
      touched.current = true;
      unsaved.current = next;
      latest.current = next;
      setContent(next);
      setStatus("saving");
      clearTimeout(timer.current);
      timer.current = setTimeout(saveNow, SAVE_AFTER_MS);
    },
    [saveNow],
  );

  return useMemo(
    () => ({
      ...content,
      status,
      setText: (text) => change({ ...content, text }),
      setNote: (isNote) => change({ ...content, isNote }),
      saveNow,
      clear() {
        clearTimeout(timer.current);
        unsaved.current = null;
        // Until the draft is deleted the server still has the text that was sent: it must not come back into the field.
        touched.current = true;
        const cleared = { ...content, text: "" };
        latest.current = cleared;
        setContent(cleared);
        setStatus("idle");
        write(cleared);
        void writing.current.then(() => {
          if (latest.current === cleared) touched.current = false;
        });
      },
      restore: (text, isNote) => change({ text, isNote }),
    }),
    [content, status, change, saveNow, write],
  );
}
