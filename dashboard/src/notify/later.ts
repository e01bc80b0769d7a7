import type { Notice } from "../api/dashboard-schema.ts";

/** What shows notifications is no part of the first load: it is fetched when the page has nothing else to do. */
const load = () => import("./browser.ts");
let loading: ReturnType<typeof load> | null = null;

export function browserPart(): ReturnType<typeof load> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Removes what was shown about a conversation, for whatever reason or for one alone. */
export function closeShown(tag: string, reason: Notice["reason"] | null = null): void {
  if (!("serviceWorker" in navigator)) return;
  browserPart()
    .then((part) => part.closeShown(tag, reason))
    .catch(() => {});
}

/** The user has signed out here: nothing that was shown stays, and nothing more comes. */
export function forgetBrowser(): void {
  if (loading !== null || "serviceWorker" in navigator)
    browserPart()
      .then((part) => part.forget())
      .catch(() => {});
}
