import { ownerOfWork } from "../../../lib/own-work.ts";
import { PAGE_ID } from "../../../lib/random-id.ts";
import { workspaceInUrl } from "../../../lib/workspace.ts";
import type { DraftContent } from "./draft-content.ts";
import type { OutgoingMessage } from "./outbox-state.ts";
import { deleteCopy, pagesWithCopies, putCopy, readCopy } from "./unsent-copies.ts";

/** What was typed in one conversation and is not saved, with what the server had when it was begun. */
interface CopiedDraft {
  workspace: number | null;
  conversation: number;
  typed: DraftContent;
  base: DraftContent | null;
}

interface Copy {
  messages: readonly OutgoingMessage[];
  drafts: readonly CopiedDraft[];
}

let copy: Copy = { messages: [], drafts: [] };

/** In the browser alone, and only while the server does not have it: removed when it is sent, saved or signed out of. */
function write(next: Copy): void {
  copy = next;
  const user = ownerOfWork();
  if (user === null) return;
  if (next.messages.length + next.drafts.length === 0) {
    void deleteCopy(user, PAGE_ID);
    return;
  }
  holdPage();
  void putCopy(user, PAGE_ID, next);
}

let isHeld = false;

/** The lock ends with the page, however it ends: a copy without its lock belongs to no page. */
function holdPage(): void {
  if (isHeld) return;
  isHeld = true;
  void navigator.locks?.request(`parley.unsent.${PAGE_ID}`, () => new Promise(() => {}));
}

export const keepCopyOf = (messages: readonly OutgoingMessage[]): void => {
  if (messages.length + copy.messages.length > 0) write({ ...copy, messages });
};

/** `typed` null: the server has it. */
export function keepDraft({ typed, ...of }: Omit<CopiedDraft, "typed"> & { typed: DraftContent | null }): void {
  const others = copy.drafts.filter(
    ({ workspace, conversation }) => workspace !== of.workspace || conversation !== of.conversation,
  );
  if (typed || others.length < copy.drafts.length)
    write({ ...copy, drafts: typed ? [...others, { ...of, typed }] : others });
}

/**
 * Calls with what pages that are gone have left, and keeps it as this page's own. Drafts of another workspace stay where
 * they are until that one is opened.
 */
export async function takeOverCopies(user: number, found: (left: Copy) => void): Promise<void> {
  for (const page of await pagesWithCopies(user))
    ifGone(page, async () => {
      const left = (await readCopy(user, page)) as Copy | undefined;
      if (!left) return;
      const isHere = ({ workspace }: CopiedDraft) => workspace === workspaceInUrl();
      const elsewhere = left.drafts.filter((draft) => !isHere(draft));
      const drafts = left.drafts.filter(isHere);
      write({ messages: [...copy.messages, ...left.messages], drafts: [...copy.drafts, ...drafts] });
      await (elsewhere.length === 0
        ? deleteCopy(user, page)
        : putCopy(user, page, { messages: [], drafts: elsewhere }));
      found({ messages: left.messages, drafts });
    });
}

function ifGone(page: string, act: () => Promise<void>): void {
  // Without locks (plain http on another host) nothing says whether the page is open. The server takes each message once.
  if (!navigator.locks) void act();
  else void navigator.locks.request(`parley.unsent.${page}`, { ifAvailable: true }, (lock) => lock && act());
}
