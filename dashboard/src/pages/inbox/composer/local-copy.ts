import { ownerOfWork } from "../../../lib/own-work.ts";
import { PAGE_ID } from "../../../lib/random-id.ts";
import { workspaceInUrl } from "../../../lib/workspace.ts";
import { copyName, pagesWithCopies } from "./copy-names.ts";
import type { DraftContent } from "./draft-content.ts";
import type { OutgoingMessage } from "./outbox-state.ts";

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
  try {
    if (next.messages.length + next.drafts.length === 0) localStorage.removeItem(copyName(user, PAGE_ID));
    else {
      holdPage();
      localStorage.setItem(copyName(user, PAGE_ID), JSON.stringify(next));
    }
  } catch {
    // Storage is full or disabled: what was written is in this page only.
  }
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
export function takeOverCopies(user: number, found: (left: Copy) => void): void {
  for (const page of pagesWithCopies(user))
    ifGone(page, () => {
      const name = copyName(user, page);
      const left = readCopy(name);
      if (!left) return;
      const isHere = ({ workspace }: CopiedDraft) => workspace === workspaceInUrl();
      const elsewhere = left.drafts.filter((draft) => !isHere(draft));
      const drafts = left.drafts.filter(isHere);
      if (elsewhere.length === 0) localStorage.removeItem(name);
      else localStorage.setItem(name, JSON.stringify({ messages: [], drafts: elsewhere }));
      write({ messages: [...copy.messages, ...left.messages], drafts: [...copy.drafts, ...drafts] });
      found({ messages: left.messages, drafts });
    });
}

function ifGone(page: string, act: () => void): void {
  // Without locks (plain http on another host) nothing says whether the page is open. The server takes each message once.
  if (!navigator.locks) act();
  else void navigator.locks.request(`parley.unsent.${page}`, { ifAvailable: true }, (lock) => lock && act());
}

function readCopy(name: string): Copy | null {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") as Copy | null;
  } catch {
    return null;
  }
}
