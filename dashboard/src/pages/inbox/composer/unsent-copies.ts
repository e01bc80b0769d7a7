import { PAGE_ID } from "../../../lib/random-id.ts";

// Not localStorage: Chromium writes that to the disk five seconds after a change, and up to a minute after it where much is
// typed, so that a crash of the whole browser lost what was written last. Here a write survives once it is done.
const DATABASE = "parley.unsent";
const STORE = "copies";

/** Each page has a copy of its own, so that two of them do not overwrite each other's. */
const keyOf = (user: number, page: string): [number, string] => [user, page];

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** In the order of the calls. Undefined where storage is full or disabled: what was written is in this page only. */
async function ask<T>(
  mode: IDBTransactionMode,
  call: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const database = await open();
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = call(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return undefined;
  }
}

export const putCopy = (user: number, page: string, copy: object): Promise<unknown> =>
  ask("readwrite", (store) => store.put(copy, keyOf(user, page)));

export const deleteCopy = (user: number, page: string): Promise<unknown> =>
  ask("readwrite", (store) => store.delete(keyOf(user, page)));

export const readCopy = (user: number, page: string): Promise<unknown> =>
  ask("readonly", (store) => store.get(keyOf(user, page)));

/** The other pages of which there is a copy. */
export async function pagesWithCopies(user: number): Promise<string[]> {
  const keys = await ask("readonly", (store) => store.getAllKeys(IDBKeyRange.bound([user], [user, []])));
  return (keys ?? []).map((key) => String((key as unknown[])[1])).filter((page) => page !== PAGE_ID);
}
