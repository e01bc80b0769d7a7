import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useRoute } from "wouter";
import { cachedConversation } from "../../api/conversations.ts";
import { t } from "../../lib/texts.ts";
import { useMedia } from "../../lib/use-media.ts";
import { useStored } from "../../lib/use-stored.ts";
import { useRestoredCopies } from "./composer/outbox.ts";
import { ContextPanel } from "./details/context-panel.tsx";
import css from "./inbox.module.css";
import { BulkLabelDialog, LabelDialog, NothingOpen, ShortcutHelp, SnoozeDialog } from "./lazy-parts.tsx";
import { ConversationList } from "./list/conversation-list.tsx";
import { nextToDo } from "./list/next-to-do.ts";
import { type InboxSelection, useInboxSelection } from "./list/selection.ts";
import { Thread } from "./thread/thread.tsx";
import { type InboxActions, useInboxActions } from "./use-inbox-actions.ts";
import { useInboxKeys } from "./use-inbox-keys.ts";
import { useInboxPatches } from "./use-inbox-patches.ts";
import { conversationHref, useOpenView } from "./views.ts";

const WIDTH_MIN = 280;
const WIDTH_MAX = 440;

/** The three panes: the list, the conversation, and what is known about its contact. */
export function InboxPages() {
  const [, parameters] = useRoute<{ id: string }>("/inbox/:id");
  const openId = toId(parameters?.id);
  const open = useOpenView();
  const [, navigate] = useLocation();
  const selection = useInboxSelection();
  const details = useDetails(openId);
  const [width, setWidth] = useStored<string>("parley.inbox.width", "340");
  const rows = useRef<number[]>([]);
  const onRows = useCallback((ids: number[]) => {
    rows.current = ids;
  }, []);
  const { setCurrent } = selection;
  useEffect(() => {
    if (openId !== null) setCurrent(openId);
  }, [openId, setCurrent]);
  const openConversation = (id: number) => navigate(conversationHref(id, open.query), { replace: id === openId });
  const closeConversation = () => navigate(`/inbox${open.query}`);
  const finish = useFinishing(rows, openId);
  useInboxPatches(openId);
  useRestoredCopies();
  const actions = useInboxActions({
    openId,
    rows,
    selection,
    onOpen: openConversation,
    onClose: details.isCovering ? details.close : closeConversation,
    onDone: (id) => {
      const next = finish(id);
      if (next === null) closeConversation();
      else openConversation(next);
    },
    onToggleDetails: details.toggle,
  });
  useInboxKeys(actions);

  return (
    <div
      className={css.inbox}
      data-thread={openId === null ? undefined : ""}
      data-context={details.isOpen ? "" : undefined}
      style={{ "--list-width": `${width}px` } as React.CSSProperties}
    >
      {/* Not in a pane: in a narrow window there is only the list. */}
      {openId === null && <h1 className="visually-hidden">{t("Inbox")}</h1>}
      <ConversationList open={open} openId={openId} selection={selection} actions={actions} onRows={onRows} />
      <Resizer width={Number(width)} onResize={(next) => setWidth(String(next))} />
      {openId === null ? (
        <NothingOpen onHelp={actions.showHelp} />
      ) : (
        <Thread key={openId} id={openId} back={`/inbox${open.query}`} actions={actions} />
      )}
      {openId !== null && details.isOpen && (
        <ContextPanel id={openId} query={open.query} actions={actions} onClose={details.close} />
      )}
      <Overlays actions={actions} selection={selection} />
    </div>
  );
}

/** The dialogs; menus are at their buttons. */
function Overlays({ actions, selection }: { actions: InboxActions; selection: InboxSelection }) {
  const client = useQueryClient();
  const { overlay, closeOverlay } = actions;
  if (overlay?.kind === "help") return <ShortcutHelp onClose={closeOverlay} />;
  if (overlay?.kind === "snooze-time")
    return <SnoozeDialog onChoose={(until) => actions.snooze(until, overlay.target)} onClose={closeOverlay} />;
  if (overlay?.kind !== "labels") return null;
  if (overlay.target === "selected")
    return <BulkLabelDialog selected={selection.selected} actions={actions} onClose={closeOverlay} />;
  const conversation = cachedConversation(client, overlay.target);
  return conversation ? <LabelDialog conversation={conversation} onClose={closeOverlay} /> : null;
}

/** Returns what to open after a conversation. One that is done stays in the list for the seconds in which it can be undone. */
function useFinishing(rows: RefObject<number[]>, openId: number | null): (id: number) => number | null {
  const done = useRef(new Set<number>());
  useEffect(() => {
    if (openId !== null) done.current.delete(openId);
  }, [openId]);
  return (id) => {
    done.current.add(id);
    return nextToDo(rows.current, id, done.current);
  };
}

/**
 * Next to the thread it stays open until it is closed. Where there is no room it covers the thread: it opens on request, for
 * that conversation only.
 */
function useDetails(openId: number | null) {
  const hasRoom = useMedia("(width >= 1280px)");
  const [stored, setStored] = useStored<"open" | "closed">("parley.inbox.context", "open");
  const [coveredId, setCoveredId] = useState<number | null>(null);
  const isOpen = openId !== null && (hasRoom ? stored === "open" : coveredId === openId);
  const show = (isShown: boolean) => {
    if (hasRoom) setStored(isShown ? "open" : "closed");
    else setCoveredId(isShown ? openId : null);
  };
  return { isOpen, isCovering: isOpen && !hasRoom, toggle: () => show(!isOpen), close: () => show(false) };
}

const toId = (text: string | undefined): number | null => {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
};

/** Drags the edge of the list; with the keyboard it moves by arrows. */
function Resizer({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const clamp = (next: number) => Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, Math.round(next)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable separator has no element of its own
    <div
      role="separator"
      tabIndex={0}
      aria-label={t("Width of the list")}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={WIDTH_MIN}
      aria-valuemax={WIDTH_MAX}
      className={css.resizer}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") onResize(clamp(width - 20));
        if (event.key === "ArrowRight") onResize(clamp(width + 20));
      }}
      onPointerDown={(event) => {
        const { currentTarget: target, pointerId, clientX } = event;
        target.setPointerCapture(pointerId);
        const move = (moved: PointerEvent) => onResize(clamp(width + moved.clientX - clientX));
        target.addEventListener("pointermove", move);
        target.addEventListener("pointerup", () => target.removeEventListener("pointermove", move), { once: true });
      }}
    />
  );
}
