import { ApiError } from "../../../api/client.ts";
import {
  createDraft,
  type Draft,
  type DraftVersion,
  deleteDraft,
  ownDraft,
  readDraft,
  readDrafts,
  updateDraft,
} from "../../../api/drafts.ts";
import { t } from "../../../lib/texts.ts";
import { type DraftContent, isBlank } from "./draft-content.ts";
import { isOnServer, isSameDraft } from "./draft-state.ts";
import { contentOf, followStored, isDone, type UnsavedDraft } from "./draft-store.ts";
import { keepDraft } from "./local-copy.ts";

const SAVE_AFTER_MS = 700;
const RETRY_MS = 5_000;

/** What goes with a draft while it is written: not data that is shown. */
interface Writing {
  timer: ReturnType<typeof setTimeout> | undefined;
  /** One write at a time, the latest last. */
  last: Promise<unknown>;
  /** What the server had after the last read or write. */
  version: DraftVersion | null;
  stop: AbortController;
}

const writings = new WeakMap<UnsavedDraft, Writing>();

function writingOf(draft: UnsavedDraft): Writing {
  const known = writings.get(draft);
  if (known) return known;
  const writing: Writing = { timer: undefined, last: Promise.resolve(), version: null, stop: new AbortController() };
  writings.set(draft, writing);
  listenToPage(draft, writing.stop.signal);
  return writing;
}

/** For as long as the draft is shown or not saved. */
function listenToPage(draft: UnsavedDraft, signal: AbortSignal): void {
  window.addEventListener("online", () => saveNow(draft), { signal });
  window.addEventListener("focus", () => void refresh(draft), { signal });
  window.addEventListener("pagehide", () => saveNow(draft, { leaving: true }), { signal });
  const ask = (event: BeforeUnloadEvent) => {
    const { status, isDirty, isLoaded } = draft.read();
    // Closing the page now would lose what was typed.
    if (status === "failed" || (isDirty && !isLoaded)) event.preventDefault();
  };
  window.addEventListener("beforeunload", ask, { signal });
}

function schedule(draft: UnsavedDraft, afterMs: number): void {
  const writing = writingOf(draft);
  clearTimeout(writing.timer);
  writing.timer = setTimeout(() => saveNow(draft), afterMs);
}

export function changed(draft: UnsavedDraft): void {
  copyLocally(draft);
  schedule(draft, SAVE_AFTER_MS);
}

/** A crash of the browser then loses nothing. */
export function copyLocally({ workspace, conversation, read }: UnsavedDraft): void {
  const { typed, base, isDirty } = read();
  keepDraft({ workspace, conversation, base, typed: isDirty ? typed : null });
}

/** Saves what is not saved yet, without the pause. */
export function saveNow(draft: UnsavedDraft, { leaving = false } = {}): void {
  clearTimeout(writingOf(draft).timer);
  const { typed, isDirty, isLoaded, handedOver } = draft.read();
  if (!isDirty || !typed) return;
  if (!isLoaded) {
    void load(draft);
    return;
  }
  // An empty field does not delete the draft of a message that is being sent.
  if (isBlank(typed) && handedOver.length > 0) draft.dispatch({ type: "left-alone" });
  else write(draft, typed, { leaving });
}

export async function refresh(draft: UnsavedDraft): Promise<void> {
  if (!isOnServer(draft.read())) return;
  await draft.client.refetchQueries({ queryKey: draft.keys.list });
  const drafts = draft.client.getQueryData<Draft[]>(draft.keys.list);
  if (drafts) followStored(draft, ownDraft(drafts));
}

/** The conversation may be closed by now, and its request for the drafts with it. */
async function load(draft: UnsavedDraft): Promise<void> {
  const { workspace, conversation, client, keys } = draft;
  const queryFn = ({ signal }: { signal: AbortSignal }) => readDrafts(conversation, { workspace, signal });
  try {
    const drafts = await client.fetchQuery({ queryKey: keys.list, queryFn, staleTime: Number.POSITIVE_INFINITY });
    followStored(draft, ownDraft(drafts));
    saveNow(draft);
  } catch {
    draft.dispatch({ type: "load-failed" });
    if (draft.read().isDirty) schedule(draft, RETRY_MS);
  }
}

function write(draft: UnsavedDraft, content: DraftContent, { leaving }: { leaving: boolean }): void {
  const writing = writingOf(draft);
  const run = async () => {
    const { base } = draft.read();
    try {
      const stored = await store(draft, content, { leaving, base });
      draft.dispatch({ type: "write-ended", content, stored: stored && contentOf(stored) });
      copyLocally(draft);
      if (!draft.isShown()) release(draft);
      await draft.client.invalidateQueries({ queryKey: draft.keys.all });
    } catch (error) {
      draft.dispatch({ type: "write-failed", content });
      if (error instanceof Conflict) return merge(draft, error.stored, { content, base });
      // Its conversation is gone: what was typed stays here only.
      if (draft.read().typed === content && !isStatus(error, 404)) schedule(draft, RETRY_MS);
    }
  };
  draft.dispatch({ type: "write-began" });
  // A page that is closing cannot wait for the previous write.
  writing.last = leaving ? run() : writing.last.then(run);
}

/** The server has another text than the one that this one began from. */
class Conflict extends Error {
  readonly stored: Draft | null;
  constructor(stored: Draft | null) {
    super(t("The draft has changed on another device."));
    this.stored = stored;
  }
}

const isStatus = (error: unknown, status: number): boolean => error instanceof ApiError && error.status === status;

async function store(
  draft: UnsavedDraft,
  content: DraftContent,
  { leaving, base }: { leaving: boolean; base: DraftContent | null },
): Promise<Draft | null> {
  const { conversation, workspace } = draft;
  const writing = writingOf(draft);
  const options = { workspace, keepalive: leaving };
  // Nothing says that a draft which is deleted is still the one that was known: it is read first.
  const version = await versionFor(draft, base, { isTrusted: !isBlank(content), leaving });
  try {
    if (isBlank(content)) {
      if (version) await deleteDraft(conversation, version.draft.id, options);
      writing.version = null;
    } else {
      const body = {
        body: content.text,
        private: content.isNote,
        attachments: content.files.map(({ id }) => ({ file_id: id })),
      };
      writing.version = version
        ? await updateDraft(conversation, { ...version, body }, options)
        : await createDraft(conversation, body, options);
    }
  } catch (error) {
    const isGone = version !== null && isStatus(error, 404);
    if (isGone && isBlank(content)) writing.version = null;
    else if (isGone || isStatus(error, 412)) throw new Conflict(await readOwn(draft));
    else throw error;
  }
  const stored = writing.version?.draft ?? null;
  await show(draft, stored);
  return stored;
}

/** The version that is to be replaced; null: there is none. Throws where it is not what this text began from. */
async function versionFor(
  draft: UnsavedDraft,
  base: DraftContent | null,
  { isTrusted, leaving }: { isTrusted: boolean; leaving: boolean },
): Promise<DraftVersion | null> {
  const writing = writingOf(draft);
  const { workspace, conversation } = draft;
  const cached = ownDraft(draft.client.getQueryData<Draft[]>(draft.keys.list));
  const id = writing.version?.draft.id ?? cached?.id;
  if (id === undefined) return null;
  const isKnown = isTrusted && writing.version !== null && isSameDraft(contentOf(writing.version.draft), base);
  if (isKnown || leaving) return writing.version ?? (cached && { draft: cached, etag: null });
  const found = await readDraft(conversation, id, { workspace }).catch((error: unknown) => {
    if (isStatus(error, 404)) return null;
    throw error;
  });
  writing.version = found;
  if (!isSameDraft(found && contentOf(found.draft), base)) throw new Conflict(found?.draft ?? null);
  return found;
}

async function readOwn(draft: UnsavedDraft): Promise<Draft | null> {
  const { conversation, workspace } = draft;
  const drafts = await readDrafts(conversation, { workspace });
  writingOf(draft).version = null;
  return ownDraft(drafts);
}

interface Typed {
  content: DraftContent;
  base: DraftContent | null;
}

/** Two devices have changed the draft: the field gets what both wrote, and it is saved. */
export async function merge(draft: UnsavedDraft, stored: Draft | null, written?: Typed): Promise<void> {
  const { mergeDrafts } = await import("./draft-merge.ts");
  const now = draft.read();
  const theirs = stored && contentOf(stored);
  await show(draft, stored);
  // What was sent, and is not in the field any more, is not in conflict with anything.
  const mine = now.typed ?? written?.content;
  if (!mine || (written && isBlank(written.content) && now.handedOver.length > 0)) return;
  const content = mergeDrafts(written ? written.base : now.base, mine, theirs);
  draft.dispatch({ type: "merged", content, base: theirs });
  saveNow(draft);
}

/** In the cache at once, so that the conversation opens with it the next time. */
async function show({ client, keys, conversation }: UnsavedDraft, stored: Draft | null): Promise<void> {
  // A list that was requested before this write would bring back what it replaced.
  await client.cancelQueries({ queryKey: keys.list });
  client.setQueryData<Draft[]>(keys.list, (before) =>
    before ? [...before.filter(({ author }) => author.type !== "user"), ...(stored ? [stored] : [])] : before,
  );
  mark({ client, keys, conversation }, { hasDraft: stored !== null });
}

function mark(
  { client, keys, conversation }: Pick<UnsavedDraft, "client" | "keys" | "conversation">,
  { hasDraft }: { hasDraft: boolean },
): void {
  client.setQueryData<number[]>(keys.own, (before) => {
    const others = before?.filter((id) => id !== conversation);
    return others && hasDraft ? [...others, conversation] : others;
  });
}

/** After the pause, as if it were still in the field: by then a page that was closed at once is gone. */
export function saveSent(draft: UnsavedDraft, sent: DraftContent, cleared: DraftContent): void {
  clearTimeout(writingOf(draft).timer);
  copyLocally(draft);
  setTimeout(() => {
    const { typed, handedOver } = draft.read();
    if (handedOver.includes(cleared) && typed === cleared) write(draft, sent, { leaving: false });
  }, SAVE_AFTER_MS);
}

interface Discarded {
  cleared: DraftContent;
  leaving: boolean;
}

export async function discard(draft: UnsavedDraft, { cleared, leaving }: Discarded): Promise<void> {
  draft.dispatch({ type: "released", cleared });
  const { typed, handedOver } = draft.read();
  // What was typed since then has replaced the draft.
  if (!typed || !isBlank(typed) || handedOver.length > 0) return;
  mark(draft, { hasDraft: false });
  write(draft, typed, { leaving });
  await writingOf(draft).last;
}

/** Saves what is not saved yet. Resolves when that is done, or has failed. */
export async function finish(draft: UnsavedDraft): Promise<void> {
  const { isLoaded, isDirty } = draft.read();
  if (!isLoaded && isDirty) await load(draft);
  saveNow(draft);
  await writingOf(draft).last;
  release(draft);
}

/** Its composer is closed and everything is saved. */
function release(draft: UnsavedDraft): void {
  if (draft.isShown() || !isDone(draft.read())) return;
  writings.get(draft)?.stop.abort();
  writings.delete(draft);
}
