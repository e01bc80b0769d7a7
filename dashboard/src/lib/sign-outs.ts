const NAME = "parley.signed-out";

/** For the other tabs of this browser, each of which is notified of a changed value. */
export function announceSignOut(): void {
  try {
    localStorage.setItem(NAME, String(Date.now()));
  } catch {
    // Storage is disabled: the other tabs find out with their next request.
  }
}

/** When a tab of this browser signed out last, in milliseconds. */
export function lastSignOut(): number {
  try {
    return Number(localStorage.getItem(NAME) ?? 0);
  } catch {
    return 0;
  }
}
