import { ChevronDown, Inbox, Tag, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { VList, type VListHandle } from "virtua";
import { useLocation } from "wouter";
import { useConversationCounts, useConversations, useLabels } from "../../api/conversations.ts";
import { Button } from "../../components/button.tsx";
import { SearchInput } from "../../components/field.tsx";
import { StaleStrip } from "../../components/loaded.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../components/menu.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { ConversationRow } from "./conversation-row.tsx";
import type { InboxSelection } from "./inbox-state.ts";
import { BulkBar } from "./lazy-parts.tsx";
import css from "./list.module.css";
import { useStableOrder } from "./stable-order.ts";
import { type OpenView, queryOf, VIEWS } from "./views.ts";

interface ConversationListProps {
  open: OpenView;
  openId: number | null;
  selection: InboxSelection;
  /** The conversations in the order shown, for the keys that move through them. */
  onRows: (ids: number[]) => void;
}

export function ConversationList({ open, openId, selection, onRows }: ConversationListProps) {
  const query = useConversations(open.filter);
  const [scrolled, setScrolled] = useState(false);
  const [pointed, setPointed] = useState(false);
  const list = useRef<VListHandle>(null);
  const live = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  const { rows, newCount, show } = useStableOrder(live, { held: scrolled || pointed, resetKey: open.query });

  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  useEffect(() => onRows(ids), [ids, onRows]);
  const currentIndex = rows.findIndex(({ id }) => id === selection.current);
  useEffect(() => {
    if (currentIndex >= 0) list.current?.scrollToIndex(currentIndex, { align: "nearest" });
  }, [currentIndex]);

  const onScroll = (offset: number) => {
    setScrolled(offset > 8);
    const handle = list.current;
    if (!handle || !query.hasNextPage || query.isFetchingNextPage) return;
    if (handle.scrollSize - offset - handle.viewportSize < 800) void query.fetchNextPage();
  };
  const showNew = () => {
    show();
    list.current?.scrollToIndex(0);
  };

  return (
    <section className={css.list} aria-label="Conversations">
      <ListHead open={open} />
      {selection.selected.size > 0 && <BulkBar selection={selection} shown={ids} />}
      <div className={css.pillHolder}>
        {newCount > 0 && (
          <button type="button" className={css.pill} onClick={showNew}>
            {newCount} new
          </button>
        )}
      </div>
      <StaleStrip query={query} />
      {query.data === undefined ? (
        query.error ? (
          <ErrorState error={query.error} onRetry={() => query.refetch()} />
        ) : (
          <SkeletonRows rows={8} />
        )
      ) : rows.length === 0 ? (
        <div className={css.empty}>
          <EmptyState icon={<Inbox size={20} />} title={open.search ? "Nothing found" : open.view.empty.title}>
            {open.search ? "No conversation in this view contains these words." : open.view.empty.text}
          </EmptyState>
        </div>
      ) : (
        <VList
          ref={list}
          className={css.scroll}
          itemSize={77}
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
              hasDraft={selection.drafts.has(conversation.id)}
              onToggle={selection.toggle}
            />
          ))}
          <p className={css.end}>
            {query.isFetchingNextPage ? "Loading more" : query.hasNextPage ? "" : "End of list"}
          </p>
        </VList>
      )}
    </section>
  );
}

function ListHead({ open }: { open: OpenView }) {
  const [, navigate] = useLocation();
  const counts = useConversationCounts();
  const labels = useLabels();
  const count = counts.data && open.view.count(counts.data);
  const go = (query: string) => navigate(`/inbox${query}`);
  return (
    <header className={css.head}>
      <div className={css.titleRow}>
        <Menu
          align="start"
          trigger={
            <button type="button" className={css.viewButton}>
              {open.label ? `${open.view.title} · ${open.label}` : open.view.title}
              {count !== undefined && <span className={css.count}>{count.toLocaleString("en")}</span>}
              <ChevronDown size={14} aria-hidden />
            </button>
          }
        >
          {VIEWS.map((view) => (
            <MenuItem key={view.name} onSelect={() => go(queryOf({ view: view.name, label: open.label }))}>
              {view.title}
              {counts.data && view.count(counts.data) !== undefined && (
                <span className={css.count}> {view.count(counts.data)?.toLocaleString("en")}</span>
              )}
            </MenuItem>
          ))}
          {labels.data && labels.data.length > 0 && <MenuSeparator />}
          {labels.data?.slice(0, 12).map(({ name, count: used }) => (
            <MenuItem
              key={name}
              icon={<Tag size={14} aria-hidden />}
              onSelect={() => go(queryOf({ view: open.view.name, label: name }))}
            >
              {name} <span className={css.count}>{used.toLocaleString("en")}</span>
            </MenuItem>
          ))}
        </Menu>
        {open.label && (
          <Button
            size="small"
            icon={<X size={12} aria-hidden />}
            onClick={() => go(queryOf({ view: open.view.name, search: open.search }))}
          >
            {open.label}
          </Button>
        )}
      </div>
      <ListSearch open={open} onChange={(search) => go(queryOf({ view: open.view.name, label: open.label, search }))} />
    </header>
  );
}

/** Searches as one types, after a pause. */
function ListSearch({ open, onChange }: { open: OpenView; onChange: (search: string) => void }) {
  const [text, setText] = useState(open.search);
  useEffect(() => setText(open.search), [open.search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the text restarts the pause
  useEffect(() => {
    if (text === open.search) return;
    const timer = setTimeout(() => onChange(text.trim()), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <SearchInput
      label="Search these conversations"
      id="inbox-search"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
