import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { type ApiError, api } from "../../api/client.ts";
import { searchKeys } from "../../api/query-keys.ts";
import { Dialog } from "../../components/dialog.tsx";
import css from "./inbox.module.css";

interface SearchHit {
  type: "conversation" | "message" | "contact";
  id: number;
  conversation_id?: number;
  contact_id?: number;
  title: string;
  excerpt: string;
  highlights: [number, number][];
  created_at: string;
}

const CHARS_MIN = 2;

const PAGES: readonly { title: string; path: string }[] = [
  { title: "Inbox", path: "/inbox" },
  { title: "Mine", path: "/inbox?view=mine" },
  { title: "Unassigned", path: "/inbox?view=unassigned" },
  { title: "Contacts", path: "/contacts" },
  { title: "Overview", path: "/overview" },
  { title: "Events", path: "/events" },
  { title: "API Keys", path: "/settings/api-keys" },
  { title: "Webhooks", path: "/settings/webhooks" },
];

/** Searches everything there is, and goes anywhere. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [, navigate] = useLocation();
  const words = text.trim();
  const search = useQuery<SearchHit[], ApiError>({
    queryKey: searchKeys.results(words),
    queryFn: ({ signal }) => api("GET", "/search", { query: { q: words, limit: 20 }, signal }),
    enabled: words.length >= CHARS_MIN,
    placeholderData: keepPreviousData,
  });
  const go = (path: string) => {
    onClose();
    navigate(path);
  };
  const pages = PAGES.filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()));
  const hits = words.length >= CHARS_MIN ? (search.data ?? []) : [];
  return (
    <Dialog open wide onClose={onClose} title="Search">
      <Command className={css.palette} shouldFilter={false} label="Search conversations, messages and contacts">
        <Command.Input value={text} onValueChange={setText} placeholder="Search conversations, messages and contacts" />
        <Command.List>
          {words.length >= CHARS_MIN && hits.length === 0 && pages.length === 0 && (
            <Command.Empty>
              {search.isFetching ? "Searching" : (search.error?.message ?? "Nothing found.")}
            </Command.Empty>
          )}
          {hits.length > 0 && (
            <Command.Group heading="Found">
              {hits.map((hit) => (
                <Command.Item
                  key={`${hit.type}-${hit.id}`}
                  value={`${hit.type}-${hit.id}`}
                  onSelect={() => go(hrefOf(hit))}
                >
                  <span>{hit.title}</span>
                  <span className={css.hit}>{marked(hit)}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {pages.length > 0 && (
            <Command.Group heading="Go to">
              {pages.map(({ title, path }) => (
                <Command.Item key={path} value={path} onSelect={() => go(path)}>
                  {title}
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}

const hrefOf = ({ type, id, conversation_id }: SearchHit): string =>
  type === "contact" ? `/contacts/${id}` : `/inbox/${conversation_id ?? id}`;

/** The excerpt with its matches marked; positions are in UTF-16 units, as JavaScript counts. */
function marked({ excerpt, highlights }: SearchHit): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of highlights) {
    parts.push(excerpt.slice(from, start), <mark key={start}>{excerpt.slice(start, end)}</mark>);
    from = end;
  }
  parts.push(excerpt.slice(from));
  return parts;
}
