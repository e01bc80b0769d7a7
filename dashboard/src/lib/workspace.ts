const NAME = "parley.workspace";

/** Each tab keeps its own workspace; a new tab starts with the one chosen last. */
export function chosenWorkspace(): string | null {
  try {
    return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

export function chooseWorkspace(uuid: string | null): void {
  try {
    for (const storage of [sessionStorage, localStorage]) {
      if (uuid === null) storage.removeItem(NAME);
      else storage.setItem(NAME, uuid);
    }
  } catch {
    // Storage is switched off: the server falls back to the first membership.
  }
}
