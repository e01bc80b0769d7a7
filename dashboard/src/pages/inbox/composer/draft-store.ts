import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../../api/client.ts";
import { type Draft, deleteDraft, filesOf, ownDraft, readDrafts, saveDraft } from "../../../api/drafts.ts";
import { draftKeys } from "../../../api/query-keys.ts";
import { registerOwnWork } from "../../../lib/own-work.ts";
import { workspaceInUrl } from "../../../lib/workspace.ts";
import { type DraftContent, isBlank, joined } from "./draft-content.ts";

export type DraftStatus = "idle" | "saving" | "saved" | "failed";

/** `typed`: what was typed or cleared here since the conversation was opened; null: what the server has is shown. */
interface Snapshot {
  typed: DraftContent | null;
  status: DraftStatus;
}

/** The draft of a message that is being sent. */
export interface SentDraft {
  /** The message was accepted, or deleted. */
  discard: (options?: { leaving?: boolean }) => Promise<void>;
  /** The message is in the composer again. */
  keep: () => void;
}

interface WriteOptions {
  workspace: number | null;
  keepalive: boolean;
}

const SAVE_AFTER_MS = 700;
const RETRY_MS = 5_000;

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const isSame = ({ text, isNote, files }: DraftContent, stored: Draft | null): boolean =>
  text === (stored?.body ?? "") &&
  isNote === (stored?.private ?? isNote) &&
  String(files.map(({ id }) => id)) === String(filesOf(stored).map(({ id }) => id));

export const contentOf = (stored: Draft | null): DraftContent => ({
  text: stored?.body ?? "",
  isNote: stored?.private ?? false,
  files: filesOf(stored),
});

/**
 * The draft of one conversation, on its way to the server: saved after a pause, one write at a time, the latest last. It
 * outlives the composer, so that a text that could not be saved is neither lost nor overwritten when the conversation is
 * left and opened again, and it keeps to the workspace in which it was typed.
 */
class UnsavedDraft {
  private snapshot: Snapshot = { typed: null, status: "idle" };
  private isDirty = false;
  /** Whether the server has a draft is known. Until then nothing is written: it would replace a draft that nobody has seen. */
  private isLoaded: boolean;
  private savedId: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private writing: Promise<unknown> = Promise.resolve();
  private writesLeft = 0;
  /** What the field had right after each text that is being sent. */
  private readonly handedOver = new Set<DraftContent>();
  private readonly listeners = new Set<() => void>();
  private readonly workspace = workspaceInUrl();
  private readonly keys: { all: readonly unknown[]; list: readonly unknown[]; own: readonly unknown[] };

  private readonly client: QueryClient;
  private readonly conversation: number;
  private readonly onSettled: () => void;

  /** `onSettled`: its composer is closed and everything is saved. */
  constructor(client: QueryClient, conversation: number, onSettled: () => void) {
    this.client = client;
    this.conversation = conversation;
    this.onSettled = onSettled;
    this.keys = { all: draftKeys.all(conversation), list: draftKeys.list(conversation), own: draftKeys.own() };
    this.isLoaded = this.cached() !== undefined;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.saveNow();
      void this.writing.then(() => this.forgetIfDone());
    };
  };

  readonly read = (): Snapshot => this.snapshot;

  change(next: DraftContent): void {
    this.isDirty = true;
    this.set({ typed: next, status: "saving" });
    this.schedule(SAVE_AFTER_MS);
  }

  /** Saves what is not saved yet, without the pause. */
  readonly saveNow = ({ leaving = false } = {}): void => {
    clearTimeout(this.timer);
    const { typed } = this.snapshot;
    if (!this.isDirty || !typed) return;
    if (!this.isLoaded) {
      void this.load();
      return;
    }
    this.isDirty = false;
    // An empty field does not delete the draft of a message that is being sent.
    if (isBlank(typed) && this.handedOver.size > 0) this.set({ typed, status: "idle" });
    else this.write(typed, { leaving });
  };

  /** Shows what was saved on another device meanwhile. What was typed here and is not saved yet stays. */
  async refresh(): Promise<void> {
    if (!this.isOnServer()) return;
    await this.client.refetchQueries({ queryKey: this.keys.list });
    const drafts = this.cached();
    if (drafts) this.follow(ownDraft(drafts));
  }

  /**
   * Another device has changed or sent the draft that was saved here: what the server has is shown. What was typed before
   * the first response is added to what it brings.
   */
  follow(stored: Draft | null): void {
    const { typed } = this.snapshot;
    const isFirst = !this.isLoaded;
    this.isLoaded = true;
    if (isFirst && typed && stored) {
      this.change(joined(contentOf(stored), typed));
      return;
    }
    if (!typed || !this.isOnServer() || isSame(typed, stored)) return;
    this.set({ typed: null, status: "idle" });
  }

  /** The server has what the field shows, or has nothing because the field was emptied. */
  private isOnServer(): boolean {
    const { typed, status } = this.snapshot;
    if (!typed || this.isDirty) return !this.isDirty;
    if (this.writesLeft > 0) return false;
    return isBlank(typed) ? this.handedOver.size === 0 : status === "saved";
  }

  /**
   * The text is being sent: the field is empty at once. The server keeps the draft until the message has been accepted, so
   * that it is not lost with the page; meanwhile it must not come back into the field.
   */
  handOver(sent: DraftContent): SentDraft {
    // The draft that the server may have was not part of the message.
    if (!this.isLoaded) {
      this.drop();
      return { discard: async () => {}, keep: () => {} };
    }
    clearTimeout(this.timer);
    const cleared = { text: "", isNote: sent.isNote, files: [] };
    this.handedOver.add(cleared);
    // After the pause, as if it were still in the field: by then a page that was closed at once is gone.
    if (this.isDirty) setTimeout(() => this.saveSent(sent, cleared), SAVE_AFTER_MS);
    this.isDirty = false;
    this.set({ typed: cleared, status: "idle" });
    return {
      discard: ({ leaving = false } = {}) => this.discard(cleared, { leaving }),
      keep: () => {
        this.handedOver.delete(cleared);
        this.forgetIfDone();
      },
    };
  }

  private saveSent(sent: DraftContent, cleared: DraftContent): void {
    if (this.handedOver.has(cleared) && this.snapshot.typed === cleared) this.write(sent, { leaving: false });
  }

  private async discard(cleared: DraftContent, { leaving }: { leaving: boolean }): Promise<void> {
    this.handedOver.delete(cleared);
    const { typed } = this.snapshot;
    // What was typed since then has replaced the draft.
    if (typed && isBlank(typed) && this.handedOver.size === 0) {
      this.mark({ hasDraft: false });
      this.write(typed, { leaving });
      await this.writing;
      if (this.snapshot.typed === cleared && !this.isDirty) this.set({ typed: null, status: "idle" });
    }
    this.forgetIfDone();
  }

  private readonly cached = (): Draft[] | undefined => this.client.getQueryData<Draft[]>(this.keys.list);

  /** The conversation may be closed by now, and its request for the drafts with it. */
  private async load(): Promise<void> {
    const { workspace, conversation, client } = this;
    const queryFn = ({ signal }: { signal: AbortSignal }) => readDrafts(conversation, { workspace, signal });
    try {
      const drafts = await client.fetchQuery({
        queryKey: this.keys.list,
        queryFn,
        staleTime: Number.POSITIVE_INFINITY,
      });
      this.follow(ownDraft(drafts));
      this.saveNow();
    } catch {
      if (!this.isDirty) return;
      this.set({ ...this.snapshot, status: "failed" });
      this.schedule(RETRY_MS);
    }
  }

  private write(content: DraftContent, { leaving }: { leaving: boolean }): void {
    const options = { workspace: this.workspace, keepalive: leaving };
    this.writesLeft += 1;
    const run = async () => {
      try {
        await this.store(content, options).finally(() => {
          this.writesLeft -= 1;
        });
        if (this.snapshot.typed === content) this.set({ typed: content, status: isBlank(content) ? "idle" : "saved" });
        await this.client.invalidateQueries({ queryKey: this.keys.all });
      } catch (error) {
        if (this.snapshot.typed !== content) return;
        this.isDirty = true;
        this.set({ typed: content, status: "failed" });
        // Its conversation is gone: what was typed stays here only.
        if (!isNotFound(error)) this.schedule(RETRY_MS);
      }
    };
    // A page that is closing cannot wait for the previous write.
    this.writing = leaving ? run() : this.writing.then(run);
  }

  private async store(content: DraftContent, options: WriteOptions): Promise<void> {
    if (isBlank(content)) return this.remove(options);
    const attachments = content.files.map(({ id }) => ({ file_id: id }));
    const body = { body: content.text, private: content.isNote, attachments };
    await this.show(await saveDraft(this.conversation, body, options));
  }

  private async remove(options: WriteOptions): Promise<void> {
    const id = this.savedId ?? ownDraft(this.cached())?.id;
    if (id !== undefined)
      await deleteDraft(this.conversation, id, options).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    await this.show(null);
  }

  /** In the cache at once, so that the conversation opens with it the next time. */
  private async show(draft: Draft | null): Promise<void> {
    this.savedId = draft?.id ?? null;
    // A list that was requested before this write would bring back what it replaced.
    await this.client.cancelQueries({ queryKey: this.keys.list });
    this.client.setQueryData<Draft[]>(this.keys.list, (before) =>
      before ? [...before.filter(({ author }) => author.type !== "user"), ...(draft ? [draft] : [])] : before,
    );
    this.mark({ hasDraft: draft !== null });
  }

  private mark({ hasDraft }: { hasDraft: boolean }): void {
    this.client.setQueryData<number[]>(this.keys.own, (before) => {
      const others = before?.filter((id) => id !== this.conversation);
      return others && hasDraft ? [...others, this.conversation] : others;
    });
  }

  private schedule(afterMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.saveNow(), afterMs);
  }

  /** Closing the page now would lose what was typed. */
  isAtRisk(): boolean {
    return this.snapshot.status === "failed" || (this.isDirty && !this.isLoaded);
  }

  isUnsaved(): boolean {
    return this.isDirty || this.snapshot.status === "saving" || this.snapshot.status === "failed";
  }

  /** Saves what is not saved yet. Resolves when that is done, or has failed. */
  async finish(): Promise<void> {
    if (!this.isLoaded && this.isDirty) await this.load();
    this.saveNow();
    await this.writing;
  }

  /** What was typed here is forgotten. */
  drop(): void {
    clearTimeout(this.timer);
    this.handedOver.clear();
    this.isDirty = false;
    this.set({ typed: null, status: "idle" });
  }

  private forgetIfDone(): void {
    if (this.listeners.size === 0 && !this.isDirty && this.handedOver.size === 0) this.onSettled();
  }

  private set(next: Snapshot): void {
    this.snapshot = next;
    for (const listener of this.listeners) listener();
    this.forgetIfDone();
  }
}

const drafts = new Map<string, UnsavedDraft>();
const keyOf = (conversation: number): string => `${workspaceInUrl()}/${conversation}`;

/** What was last in the composer of a conversation, which may be gone by now. */
export const unsentTextOf = (client: QueryClient, conversation: number): string =>
  (
    drafts.get(keyOf(conversation))?.read().typed ??
    contentOf(ownDraft(client.getQueryData<Draft[]>(draftKeys.list(conversation))))
  ).text;

/** The same one until everything that was typed is saved and its composer is closed. */
export function unsavedDraftOf(client: QueryClient, conversation: number): UnsavedDraft {
  const key = keyOf(conversation);
  const known = drafts.get(key);
  if (known) return known;
  const draft: UnsavedDraft = new UnsavedDraft(client, conversation, () => {
    if (drafts.get(key) === draft) drafts.delete(key);
  });
  drafts.set(key, draft);
  return draft;
}

registerOwnWork({
  finish: () => Promise.all([...drafts.values()].map((draft) => draft.finish())),
  left: () => [...drafts.values()].filter((draft) => draft.isUnsaved()).length,
  forget: () => {
    for (const draft of [...drafts.values()]) draft.drop();
    drafts.clear();
  },
});
window.addEventListener("online", () => {
  for (const draft of drafts.values()) draft.saveNow();
});
window.addEventListener("focus", () => {
  for (const draft of drafts.values()) void draft.refresh();
});
window.addEventListener("pagehide", () => {
  for (const draft of drafts.values()) draft.saveNow({ leaving: true });
});
window.addEventListener("beforeunload", (event) => {
  if ([...drafts.values()].some((draft) => draft.isAtRisk())) event.preventDefault();
});
