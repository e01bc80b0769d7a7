/** What a part of the app has not sent or saved yet for the person who is signed in. */
interface OwnWork {
  /** Sends or saves it now. */
  finish: () => Promise<unknown>;
  /** How much of it the server does not have. */
  left: () => number;
  forget: () => void;
}

/** A server that does not respond must not keep a person from signing out. */
const FINISH_MS_MAX = 5_000;

const works: OwnWork[] = [];
let owner: number | null = null;

export function registerOwnWork(work: OwnWork): void {
  works.push(work);
}

/** The user whose work it is; null: nobody has signed in on this page. */
export const ownerOfWork = (): number | null => owner;

/** Sends and saves everything now. Resolves to how much the server does not have even so. */
export async function finishOwnWork(): Promise<number> {
  const finished = Promise.allSettled(works.map(({ finish }) => finish()));
  await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, FINISH_MS_MAX))]);
  return works.reduce((sum, { left }) => sum + left(), 0);
}

/** What one person wrote is neither shown to the next one nor sent in their name. */
export function forgetOwnWork(): void {
  for (const { forget } of works) forget();
}

/** Another tab may have signed in another person. */
export function keepOwnWorkOf(user: number): void {
  if (owner !== null && owner !== user) forgetOwnWork();
  owner = user;
}
