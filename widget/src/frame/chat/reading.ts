import { newestSeq } from "../logic/log.ts";
import { isLocal } from "../logic/outbox.ts";
import type { VisitorApi } from "../net/api.ts";
import type { Sessions } from "./session.ts";
import { isReading, logOf, type State, type Store } from "./state.ts";
import type { Sync } from "./sync.ts";

interface ReadingOptions {
  store: Store;
  api: VisitorApi;
  sessions: Sessions;
  sync: Sync;
}

interface Reading {
  /** The visitor types. */
  typing(): void;
  saveTranscript(): Promise<void>;
}

const TYPING_EVERY_MS = 3_000;

/** Reports what the visitor has read and that they type. Neither is worth a retry: the next one replaces it. */
export function createReading({ store, api, sessions, sync }: ReadingOptions): Reading {
  let typedAt = 0;
  const reported: Record<string, number> = {};

  const report = (state: State) => {
    const { current } = state;
    const session = sessions.current();
    if (!session || isLocal(current) || !isReading(state, current)) return;
    const conversation = state.conversations.find(({ id }) => id === current);
    const seq = newestSeq(logOf(state, current).messages, "out");
    if (!conversation || seq <= Math.max(conversation.contact_read_seq, reported[current] ?? 0)) return;
    reported[current] = seq;
    sync.upsert({ ...conversation, unread_count: 0 });
    api
      .request<{ contact_read_seq: number }>(`conversations/${current}/read`, {
        method: "POST",
        session: session.token,
        body: { seq },
      })
      .then(({ contact_read_seq }) => {
        const known = store.get().conversations.find(({ id }) => id === current);
        if (known) sync.upsert({ ...known, contact_read_seq: Math.max(known.contact_read_seq, contact_read_seq) });
      })
      .catch(() => delete reported[current]);
  };
  store.subscribe(report);
  document.addEventListener("visibilitychange", () => report(store.get()));

  return {
    typing() {
      const { current, connection } = store.get();
      const session = sessions.current();
      const now = Date.now();
      if (!session || connection !== "live" || isLocal(current) || now - typedAt < TYPING_EVERY_MS) return;
      typedAt = now;
      const path = `conversations/${current}/typing`;
      api.request(path, { method: "POST", session: session.token, body: {} }).catch(() => {});
    },
    async saveTranscript() {
      const { current } = store.get();
      const session = sessions.current();
      if (!session || isLocal(current)) return;
      const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
      const response = await api.raw(`conversations/${current}/transcript?time_zone=${zone}`, {
        session: session.token,
      });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await response.blob());
      link.download = "chat.txt";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    },
  };
}
