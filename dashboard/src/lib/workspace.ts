const NAME = "parley.workspace";

/** The workspace that the address names: 7 at `/w/7/inbox`. Every tab has its own, and a link opens it for a colleague. */
export function workspaceInUrl(pathname: string = window.location.pathname): number | null {
  const id = /^\/w\/([1-9]\d{0,15})(?:\/|$)/.exec(pathname)?.[1];
  return id === undefined ? null : Number(id);
}

/** Where a workspace's pages begin. With wouter's `~` it leads there from anywhere. */
export const workspaceHref = (id: number, path = "/"): string => `/w/${id}${path}`;

/** The workspace opened last in this browser: where an address without one leads. */
export function lastWorkspace(): number | null {
  try {
    const id = Number(localStorage.getItem(NAME));
    return Number.isSafeInteger(id) && id > 0 ? id : null;
  } catch {
    return null;
  }
}

export function rememberWorkspace(id: number | null): void {
  try {
    if (id === null) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, String(id));
  } catch {
    // Storage is disabled: the server falls back to the first membership.
  }
}
