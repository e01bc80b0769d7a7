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

/** What said that nobody has the conversation is not true any more. */
export function closeUntaken(tag: string): void {
  if (!("serviceWorker" in navigator)) return;
  browserPart()
    .then((part) => part.closeShown(tag, "unassigned"))
    .catch(() => {});
}

/** The user has signed out here: nothing that was shown stays, and nothing more comes. */
export function forgetBrowser(): void {
  if (loading !== null || "serviceWorker" in navigator)
    browserPart()
      .then((part) => part.forget())
      .catch(() => {});
}
