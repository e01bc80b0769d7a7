import type { CreateDraftBody, Draft, Message, UploadedFile } from "@parley/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { t } from "../lib/texts.ts";
import { type ApiError, api, apiVersioned, type CallOptions, dashboardApi, ifMatch, type Versioned } from "./client.ts";
import { draftKeys } from "./query-keys.ts";

export type { Draft } from "@parley/client";

export const useDrafts = (conversation: number) =>
  useQuery<Draft[], ApiError>({
    queryKey: draftKeys.list(conversation),
    queryFn: ({ signal }) => readDrafts(conversation, { signal }),
  });

export const readDrafts = (
  conversation: number,
  options: Pick<CallOptions, "workspace" | "signal">,
): Promise<Draft[]> => api("GET", `/conversations/${conversation}/drafts`, options);

/** Of the drafts of a conversation, the one that the signed-in person is writing. */
export const ownDraft = (drafts: readonly Draft[] | undefined): Draft | null =>
  drafts?.find(({ author }) => author.type === "user") ?? null;

export const suggestionsOf = (drafts: readonly Draft[] | undefined): Draft[] =>
  drafts?.filter(({ author }) => author.type !== "user") ?? [];

/** What a composer and a message on its way have to know about an uploaded file. */
export type DraftFile = Pick<UploadedFile, "id" | "name" | "size_bytes">;

export const filesOf = (draft: Draft | null): DraftFile[] =>
  draft?.attachments.flatMap(({ file_id: id, name, size_bytes }) =>
    id === undefined ? [] : [{ id, name: name ?? t("File"), size_bytes: size_bytes ?? 0 }],
  ) ?? [];

/** The conversations of the signed-in person's drafts, for the marks in the list. */
export const useOwnDrafts = () =>
  useQuery<number[], ApiError>({
    queryKey: draftKeys.own(),
    queryFn: ({ signal }) => dashboardApi("GET", "/own-drafts", { signal }),
  });

type WriteOptions = Pick<CallOptions, "workspace" | "keepalive">;

/** A draft as the server has it. Without a tag it is replaced whatever the server has by then. */
export interface DraftVersion {
  draft: Draft;
  etag: string | null;
}

const toVersion = ({ record: draft, etag }: Versioned<Draft>): DraftVersion => ({ draft, etag });

export const readDraft = async (
  conversation: number,
  draft: number,
  options: Pick<CallOptions, "workspace">,
): Promise<DraftVersion> =>
  toVersion(await apiVersioned<Draft>("GET", `/conversations/${conversation}/drafts/${draft}`, options));

/** Fails with 412 where there is one already. */
export const createDraft = async (
  conversation: number,
  body: CreateDraftBody,
  options: WriteOptions,
): Promise<DraftVersion> =>
  toVersion(
    await apiVersioned<Draft>("POST", `/conversations/${conversation}/drafts`, {
      body,
      headers: { "if-none-match": "*" },
      ...options,
    }),
  );

/** Fails with 412 where it is not this version any more. */
export const updateDraft = async (
  conversation: number,
  { draft, etag, body }: DraftVersion & { body: CreateDraftBody },
  options: WriteOptions,
): Promise<DraftVersion> =>
  toVersion(
    await apiVersioned<Draft>("PATCH", `/conversations/${conversation}/drafts/${draft.id}`, {
      body,
      ...ifMatch(etag),
      ...options,
    }),
  );

export const deleteDraft = (conversation: number, draft: number, options?: WriteOptions): Promise<Draft> =>
  api("DELETE", `/conversations/${conversation}/drafts/${draft}`, options);

/** `key`: the Idempotency-Key. */
export const sendDraft = (
  conversation: number,
  draft: number,
  { key, ...options }: WriteOptions & { key: string },
): Promise<Message> =>
  api("POST", `/conversations/${conversation}/drafts/${draft}/send`, {
    headers: { "idempotency-key": key },
    ...options,
  });

export function useDiscardDraft(conversation: number) {
  const client = useQueryClient();
  return useMutation<Draft, ApiError, number>({
    mutationFn: (draft) => deleteDraft(conversation, draft),
    onSettled: () => client.invalidateQueries({ queryKey: draftKeys.all(conversation) }),
  });
}
