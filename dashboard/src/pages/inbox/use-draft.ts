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
 * every device. The server's text is shown only while nothing was typed here.
 */
export function useDraft(conversation: number): DraftState {
  const stored = ownDraft(useDrafts(conversation).data);
  const [content, setContent] = useState<Content>(EMPTY);
  const isTouched = useRef(false);
  /** What was typed or cleared last. */
  const latest = useRef<Content>(EMPTY);
  const { status, saveLater, saveNow, save } = useDraftSaver(conversation);

  const storedBody = stored?.body ?? "";
  const storedNote = stored?.private ?? false;
  useEffect(() => {
    if (!isTouched.current) setContent({ text: storedBody, isNote: storedNote });
  }, [storedBody, storedNote]);

  const show = useCallback((next: Content) => {
    isTouched.current = true;
    latest.current = next;
    setContent(next);
  }, []);
  const change = useCallback(
    (next: Content) => {
      show(next);
      saveLater(next);
    },
    [show, saveLater],
  );

  return useMemo(
    () => ({
      ...content,
      status,
      setText: (text) => change({ ...content, text }),
      setNote: (isNote) => change({ ...content, isNote }),
      saveNow,
      clear() {
        const cleared = { ...content, text: "" };
        show(cleared);
        // Until the draft is deleted the server still has the text that was sent: it must not come back into the field.
        void save(cleared).then(() => {
          if (latest.current === cleared) isTouched.current = false;
        });
      },
      restore: (text, isNote) => change({ text, isNote }),
    }),
    [content, status, show, change, save, saveNow],
  );
}

const isEmpty = ({ text }: Content): boolean => text.trim() === "";

/** Writes drafts to the server, one at a time and the latest last. An empty one is deleted. */
function useDraftSaver(conversation: number) {
  const client = useQueryClient();
  const [status, setStatus] = useState<DraftState["status"]>("idle");
  const unsaved = useRef<Content | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const writing = useRef<Promise<void>>(Promise.resolve());

  const write = useCallback(
    async (next: Content) => {
      try {
        if (isEmpty(next)) {
          const own = ownDraft(client.getQueryData(draftKeys.list(conversation)));
          if (own) await deleteDraft(conversation, own.id);
        } else await saveDraft(conversation, { body: next.text, private: next.isNote, attachments: [] });
        setStatus(isEmpty(next) ? "idle" : "saved");
        await client.invalidateQueries({ queryKey: draftKeys.all(conversation) });
      } catch {
        setStatus("failed");
        unsaved.current ??= next;
      }
    },
    [client, conversation],
  );

  const save = useCallback(
    (next: Content): Promise<void> => {
      clearTimeout(timer.current);
      unsaved.current = null;
      if (isEmpty(next)) setStatus("idle");
      writing.current = writing.current.then(() => write(next));
      return writing.current;
    },
    [write],
  );

  const saveNow = useCallback(() => {
    clearTimeout(timer.current);
    if (unsaved.current) void save(unsaved.current);
  }, [save]);

  const saveLater = useCallback(
    (next: Content) => {
      unsaved.current = next;
      setStatus("saving");
      clearTimeout(timer.current);
      timer.current = setTimeout(saveNow, SAVE_AFTER_MS);
    },
    [saveNow],
  );

  useEffect(() => {
    window.addEventListener("pagehide", saveNow);
    return () => {
      window.removeEventListener("pagehide", saveNow);
      saveNow();
    };
  }, [saveNow]);

  return { status, saveLater, saveNow, save };
}
