import { Command } from "cmdk";
import { ContactRound, MessageSquareText, MessagesSquare } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { reasonOf } from "../../api/client.ts";
import { type SearchHit, useSearch } from "../../api/search.ts";
import { type Role, useSession } from "../../api/session.ts";
import { useViews } from "../../api/views.ts";
import { Dialog } from "../../components/dialog.tsx";
import { requestNewConversation } from "../../lib/new-conversation.ts";
import { t } from "../../lib/texts.ts";
import { mayOpen, PAGE_PATHS, SITE_MAP } from "../../site-map.ts";
import css from "./inbox.module.css";
import { shortTime } from "./names.ts";

const CHARS_MIN = 2;
/** The API takes no longer search. */
const CHARS_MAX = 200;

interface Place {
  title: string;
  path: string;
}

const VIEWS: readonly Place[] = [
  { title: t("Mine"), path: "/inbox?view=mine" },
  { title: t("Unassigned"), path: "/inbox?view=unassigned" },
  { title: t("Waiting"), path: "/inbox?view=waiting" },
  { title: t("Mentions"), path: "/inbox?view=mentions" },
];

/** The pages that a role may open, with the views of the inbox. The profile is in the menu of its user alone. */
const placesOf = (role: Role, saved: readonly Place[]): Place[] =>
  PAGE_PATHS.filter((path) => path !== "/profile" && mayOpen(role, path)).flatMap((path) => [
    { title: SITE_MAP[path].title, path },
    ...(path === "/inbox" ? [...VIEWS, ...saved] : []),
  ]);

/** Searches everything there is, and goes anywhere. */
export function Palette({ initialText, onClose }: { initialText: string; onClose: () => void }) {
  const [text, setText] = useState(initialText);
  const [, navigate] = useLocation();
  const words = text.trim().slice(0, CHARS_MAX);
  const isTyped = words.length >= CHARS_MIN;
  // Nothing is found without a letter or a digit, and the API refuses it.
  const isSearched = isTyped && /[\p{L}\p{N}]/u.test(words);
  const search = useSearch(words, { enabled: isSearched });
  const go = (path: string) => {
    onClose();
    navigate(path);
  };
  const { role } = useSession();
  const saved = (useViews().data ?? []).map(({ id, name }) => ({ title: name, path: `/inbox?view=${id}` }));
  const pages = placesOf(role, saved).filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()));
  const newConversation = t("New conversation");
  const isActionShown = newConversation.toLowerCase().includes(words.toLowerCase());
  const startConversation = () => {
    onClose();
    requestNewConversation(null);
  };
  const hits = isSearched ? (search.data ?? []) : [];
  const result = isSearched && search.error ? reasonOf(search.error) : t("Nothing found.");
  return (
    <Dialog open wide onClose={onClose} title={t("Search")}>
      <Command className={css.palette} shouldFilter={false} label={t("Search conversations, messages and contacts")}>
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder={t("Search conversations, messages and contacts")}
        />
        <Command.List>
          {isTyped && hits.length === 0 && pages.length === 0 && !isActionShown && (
            <Command.Empty>{search.isFetching ? t("Searching") : result}</Command.Empty>
          )}
          {hits.length > 0 && (
            <Command.Group heading={t("Found")}>
              {hits.map((hit) => (
                <Command.Item
                  key={`${hit.type}-${hit.id}`}
                  value={`${hit.type}-${hit.id}`}
                  onSelect={() => go(hrefOf(hit))}
                >
                  {ICONS[hit.type]}
                  <span className={css.hit}>
                    <span className={css.hitTitle}>{hit.title}</span>
                    <span className={css.hitText}>{marked(hit)}</span>
                  </span>
                  <time className={css.hitTime} dateTime={hit.created_at}>
                    {shortTime(hit.created_at)}
                  </time>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {pages.length > 0 && (
            <Command.Group heading={t("Go to")}>
              {pages.map(({ title, path }) => (
                <Command.Item key={path} value={path} onSelect={() => go(path)}>
                  {title}
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {isActionShown && (
            <Command.Group heading={t("Do")}>
              <Command.Item value="new-conversation" onSelect={startConversation}>
                {newConversation}
              </Command.Item>
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}

const ICONS: Record<SearchHit["type"], ReactNode> = {
  conversation: <MessagesSquare size={16} aria-label={t("Conversation")} />,
  message: <MessageSquareText size={16} aria-label={t("Message")} />,
  contact: <ContactRound size={16} aria-label={t("Contact")} />,
};

const hrefOf = ({ type, id, conversation_id }: SearchHit): string =>
  type === "contact" ? `/contacts/${id}` : `/inbox/${conversation_id ?? id}`;

/** The excerpt with its matches marked; positions are in UTF-16 units, as JavaScript counts. */
function marked({ excerpt, highlights }: SearchHit): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [start = from, end = start] of highlights) {
    parts.push(excerpt.slice(from, start), <mark key={start}>{excerpt.slice(start, end)}</mark>);
    from = end;
  }
  parts.push(excerpt.slice(from));
  return parts;
}
