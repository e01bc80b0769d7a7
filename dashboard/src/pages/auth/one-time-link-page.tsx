import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ApiError } from "../../api/client.ts";
import { ErrorState, Skeleton } from "../../components/states.tsx";
import { PublicPage } from "../../layout/public-page.tsx";

interface OneTimeLinkPageProps<Data> {
  /** While the link is being checked, and if that fails. */
  title: string;
  token: string;
  /** The check of the token. */
  link: UseQueryResult<Data, ApiError>;
  /** Shown if the link was used, replaced or revoked, or has expired. */
  ended: ReactNode;
  children: (data: Data) => ReactNode;
}

/** A page that opens by a link with a token that works once. */
export function OneTimeLinkPage<Data>({ title, token, link, ended, children }: OneTimeLinkPageProps<Data>) {
  if (isEnded(token, link.error)) return ended;
  if (link.error)
    return (
      <PublicPage title={title}>
        <ErrorState error={link.error} onRetry={() => link.refetch()} />
      </PublicPage>
    );
  if (link.isPending)
    return (
      <PublicPage title={title}>
        <Skeleton height={120} />
      </PublicPage>
    );
  return children(link.data);
}

export const isEnded = (token: string, error: ApiError | null): boolean =>
  token === "" || error?.status === 404 || error?.status === 422;
