import { SquarePen, TriangleAlert, X } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { VList } from "virtua";
import { Link, useLocation } from "wouter";
import { useConversations } from "../../../api/conversations.ts";
import { useOwnDrafts } from "../../../api/drafts.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { StaleStrip } from "../../../components/loaded.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { requestNewConversation } from "../../../lib/new-conversation.ts";
import { plural, t } from "../../../lib/texts.ts";
import { useStored } from "../../../lib/use-stored.ts";
import { type OutgoingMessage, useAllOutgoing } from "../composer/outbox.ts";
import { waitsForAnother } from "../composer/outbox-state.ts";
import { BulkBar, EmptyView } from "../lazy-parts.tsx";
import { ListSkeleton } from "../skeletons.tsx";
import type { InboxActions } from "../use-inbox-actions.ts";
import { conversationHref, type OpenView, queryOf } from "../views.ts";
import { ConversationRow } from "./conversation-row.tsx";
import css from "./list.module.css";
import type { InboxSelection } from "./selection.ts";
import { useStableOrder } from "./stable-order.ts";
import { useListScroll } from "./use-list-scroll.ts";
import { type Density, ViewMenu } from "./view-menu.tsx";

/** In pixels, with the line above the row. */
const ROW_HEIGHTS: Record<Density, number> = { comfortable: 64, compact: 44 };

interface ConversationListProps {
  open: OpenView;
  openId: number | null;
  selection: InboxSelection;
  actions: InboxActions;
  /** The conversations in the order shown, for the keys that move through them. */
  onRows: (ids: number[]) => void;
}

export function ConversationList({ open, openId, selection, actions, onRows }: ConversationListProps) {
  const query = useConversations(open.filter);
  const [scrolled, setScrolled] = useState(false);
  const [pointed, setPointed] = useState(false);
  const [density, setDensity] = useStored<Density>("parley.inbox.rows", "comfortable");
  const drafts = useOwnDrafts().data;
  const outgoing = useAllOutgoing();
  const live = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  const { rows, newCount, show } = useStableOrder(live, { held: scrolled || pointed, resetKey: open.query });

  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  useEffect(() => onRows(ids), [ids, onRows]);
  const currentIndex = rows.findIndex(({ id }) => id === selection.current);
  const { list, remember } = useListScroll({ query: open.query, hasRows: rows.length > 0, currentIndex, openId });

  const onScroll = (offset: number) => {
    setScrolled(offset > 8);
    remember(offset);
    const handle = list.current;
    if (!handle || !query.hasNextPage || query.isFetchingNextPage) return;
    if (handle.scrollSize - offset - handle.viewportSize < 800) void query.fetchNextPage();
  };
  const showNew = () => {
    show();
    list.current?.scrollToIndex(0);
  };

  return (
    <section className={css.list} aria-label={t("Conversations")} data-rows={density}>
      <ListHead open={open} openId={openId} density={density} onDensity={setDensity} />
      <Outbox outgoing={outgoing} query={open.query} />
      {selection.selected.size > 0 && <BulkBar selection={selection} actions={actions} shown={ids} />}
      <NewPill count={newCount} onClick={showNew} />
      <StaleStrip query={query} />
      {query.data === undefined ? (
        query.error ? (
          <ErrorState error={query.error} onRetry={() => query.refetch()} />
        ) : (
          <ListSkeleton />
        )
      ) : rows.length === 0 ? (
        <NoRows open={open} isSearching={query.hasNextPage} />
      ) : (
        <VList
          ref={list}
          className={css.scroll}
          itemSize={ROW_HEIGHTS[density] ?? ROW_HEIGHTS.comfortable}
          onScroll={onScroll}
          onPointerEnter={() => setPointed(true)}
          onPointerLeave={() => setPointed(false)}
          aria-label={open.view.title}
        >
          {rows.map((conversation) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              query={open.query}
              isOpen={conversation.id === openId}
              isCurrent={conversation.id === selection.current}
              isSelected={selection.selected.has(conversation.id)}
              // An open conversation shows the text itself.
              hasDraft={conversation.id !== openId && (drafts?.includes(conversation.id) ?? false)}
              sending={outgoing.find((message) => message.conversation === conversation.id)?.state ?? null}
              onToggle={selection.toggle}
            />
          ))}
          <ListEnd query={query} />
        </VList>
      )}
    </section>
  );
}

/** There may be rows among those that the server has not looked at yet. */
const NoRows = ({ open, isSearching }: { open: OpenView; isSearching: boolean }) =>
  isSearching ? <ListSkeleton /> : <EmptyView open={open} />;

const NewPill = ({ count, onClick }: { count: number; onClick: () => void }) => (
  <div className={css.pillHolder}>
    {count > 0 && (
      <button type="button" className={css.pill} onClick={onClick}>
        {t("{count} new", { count })}
      </button>
    )}
  </div>
);

function ListEnd({ query }: { query: { isFetchingNextPage: boolean; hasNextPage: boolean } }) {
  const text = query.hasNextPage ? "" : t("End of list");
  return <p className={css.end}>{query.isFetchingNextPage ? t("Loading more") : text}</p>;
}

/** Messages of any conversation that could not be sent yet, for a user who has already opened the next one. */
function Outbox({ outgoing, query }: { outgoing: readonly OutgoingMessage[]; query: string }) {
  const failed = outgoing.filter(({ state }) => state === "failed" || state === "asking");
  const waiting = outgoing.filter(
    (message) => message.state === "waiting" && !waitsForAnother({ entries: outgoing }, message),
  );
  const [first] = failed.length > 0 ? failed : waiting;
  const texts = [
    ...(waiting.length > 0 ? [t("{waiting} waiting for a connection", { waiting: countOf(waiting) })] : []),
    ...(failed.length > 0 ? [t("{failed} not sent", { failed: countOf(failed) })] : []),
  ];
  return (
    <div role="status">
      {first && (
        <Link href={conversationHref(first.conversation, query)} className={css.outbox}>
          <TriangleAlert size={14} aria-hidden />
          {texts.join(", ")}
        </Link>
      )}
    </div>
  );
}

const countOf = (messages: readonly unknown[]): string => plural(messages.length, "{n} message", "{n} messages");

interface ListHeadProps extends Pick<ConversationListProps, "open" | "openId"> {
  density: Density;
  onDensity: (density: Density) => void;
}

function ListHead({ open, openId, density, onDensity }: ListHeadProps) {
  const [, navigate] = useLocation();
  const go = (query: string) => navigate(`/inbox${query}`);
  return (
    <header className={css.head}>
      <div className={css.titleRow}>
        <ViewMenu open={open} density={density} onDensity={onDensity} onGo={go} />
        {open.label && (
          <Button
            size="small"
            icon={<X size={12} aria-hidden />}
            onClick={() => go(queryOf({ view: open.view.name, search: open.search }))}
          >
            {open.label}
          </Button>
        )}
        <IconButton
          size="small"
          label={t("New conversation")}
          className={css.new}
          icon={<SquarePen size={16} aria-hidden />}
          onClick={() => requestNewConversation(null)}
        />
      </div>
      <SearchField
        label={t("Search these conversations")}
        id="inbox-search"
        value={open.search}
        onChange={(text) => {
          const query = queryOf({ view: open.view.name, label: open.label, search: text });
          // The conversation stays open next to what is searched.
          if (openId === null) go(query);
          else navigate(conversationHref(openId, query));
        }}
      />
    </header>
  );
}
