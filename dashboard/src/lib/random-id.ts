/** Not `crypto.randomUUID`, which browsers have only at https and localhost. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36).padStart(7, "0")).join("");

/** Names this page: the server tells the user's other pages what it has changed. */
export const PAGE_ID = randomId();
