import { dashboardApi } from "../api/client.ts";
import type { Notice, NotificationSettings } from "../api/dashboard-schema.ts";
import { browserState, show } from "./browser.ts";
import type { Arrived } from "./notices.ts";
import { playSound } from "./sound.ts";

interface Caller {
  userId: number;
  workspace: { id: number; name: string };
}

const REMEMBERED = "parley.notified";
const REMEMBERED_MAX = 200;
/** How much a reason concerns its person, as the server weighs it. */
const CONCERN: Record<Notice["reason"], number> = { unassigned: 1, followed: 2, assigned: 2, mention: 3 };

/**
 * Asks the server which of these messages call this person, and calls once per conversation until it is read, and once more
 * when it begins to concern them more: it is theirs now, or a note mentions them.
 */
export async function callAbout(messages: readonly Arrived[], { userId, workspace }: Caller): Promise<void> {
  const notices = await dashboardApi<Notice[]>("POST", "/me/notices", { body: { messages }, workspace: workspace.id });
  const fresh = remember(workspace.id, notices);
  if (fresh.length === 0) return;
  const isShown = ["on", "while-open"].includes(browserState(userId));
  let isNews = false;
  for (const { reason, conversation_id } of fresh) {
    const notice = { reason, workspace, conversation_id, unread: null };
    const isOpen = isInFront(workspace.id, conversation_id) || (isShown && !(await show(notice)));
    isNews ||= !isOpen;
  }
  if (isNews && (await wantsSound(workspace.id))) playSound();
}

const isInFront = (workspace: number, conversation: number): boolean =>
  document.visibilityState === "visible" && location.pathname === `/w/${workspace}/inbox/${conversation}`;

async function wantsSound(workspace: number): Promise<boolean> {
  return (await dashboardApi<NotificationSettings>("GET", "/me/notifications", { workspace })).sound;
}

/** In all tabs, and after the one that reads the stream was closed. Returns those of which nothing was said yet. */
function remember(workspace: number, notices: readonly Notice[]): Notice[] {
  const known = new Map(read().map(([name, seq, concern]) => [name, { seq, concern: concern ?? CONCERN.mention }]));
  const fresh: Notice[] = [];
  for (const notice of notices) {
    const name = `${workspace}:${notice.conversation_id}`;
    const concern = CONCERN[notice.reason];
    const last = known.get(name);
    if (last && last.seq > notice.read_seq && last.concern >= concern) continue;
    known.delete(name);
    known.set(name, { seq: notice.seq, concern });
    fresh.push(notice);
  }
  write([...known].slice(-REMEMBERED_MAX).map(([name, { seq, concern }]) => [name, seq, concern]));
  return fresh;
}

/** Per conversation: up to which message it was called about, and how much that concerned the person. */
type Entry = [name: string, seq: number, concern?: number];
let inMemory: Entry[] = [];

function read(): Entry[] {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? "[]") as Entry[];
  } catch {
    return inMemory;
  }
}

function write(entries: Entry[]): void {
  inMemory = entries;
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(entries));
  } catch {
    // Storage is disabled: this tab remembers it.
  }
}
