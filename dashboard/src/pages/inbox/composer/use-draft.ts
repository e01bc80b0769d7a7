import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { type DraftFile, ownDraft, useDrafts } from "../../../api/drafts.ts";
import { type DraftContent, joinedUnlessBlank } from "./draft-content.ts";
import type { DraftStatus } from "./draft-state.ts";
import {
  changeDraft,
  contentOf,
  followStored,
  handOver,
  refreshDraft,
  type SentDraft,
  saveDraftNow,
  unsavedDraftOf,
} from "./draft-store.ts";

export interface DraftState extends DraftContent {
  status: DraftStatus;
  setText: (text: string) => void;
  setNote: (isNote: boolean) => void;
  addFile: (file: DraftFile) => void;
  removeFile: (id: number) => void;
  saveNow: () => void;
  /** Shows what was saved on another device meanwhile. */
  refresh: () => void;
  /** The text is being sent: the field is emptied. */
  handOver: () => SentDraft;
  /** Puts a message that was undone above what was written meanwhile. */
  restore: (content: DraftContent) => void;
  /** Puts a suggestion below what was written. */
  add: (content: DraftContent) => void;
}

/**
 * What the person is writing in one conversation: in the field at once, on the server after a pause, so that it is there on
 * every device. The server's text is shown only while nothing was typed here.
 */
export function useDraft(conversation: number): DraftState {
  const client = useQueryClient();
  const unsaved = unsavedDraftOf(client, conversation);
  const { typed, status } = useSyncExternalStore(unsaved.subscribe, unsaved.read);
  const { data } = useDrafts(conversation);
  useEffect(() => {
    if (data) followStored(unsaved, ownDraft(data));
  }, [unsaved, data]);
  return useMemo(() => {
    const fromServer = contentOf(ownDraft(data));
    const content = typed ?? fromServer;
    // An upload ends long after the render that began it: what was typed meanwhile stays.
    const current = () => unsaved.read().typed ?? fromServer;
    return {
      ...content,
      status,
      setText: (text) => changeDraft(unsaved, { ...current(), text }),
      setNote: (isNote) => {
        if (isNote !== current().isNote) changeDraft(unsaved, { ...current(), isNote });
      },
      addFile: (file) => changeDraft(unsaved, { ...current(), files: [...current().files, file] }),
      removeFile: (id) =>
        changeDraft(unsaved, { ...current(), files: current().files.filter((file) => file.id !== id) }),
      saveNow: () => saveDraftNow(unsaved),
      refresh: () => refreshDraft(unsaved),
      handOver: () => handOver(unsaved, content),
      restore: (undone) => changeDraft(unsaved, joinedUnlessBlank(undone, current())),
      add: (more) => changeDraft(unsaved, joinedUnlessBlank(current(), more)),
    };
  }, [unsaved, typed, status, data]);
}
