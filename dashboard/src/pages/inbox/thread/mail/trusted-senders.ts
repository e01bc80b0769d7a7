const SENDERS_MAX = 500;
const nameOf = (user: number): string => `parley.mail-images.${user}`;

function read(user: number): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(user)) ?? "[]");
    return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
  } catch {
    // Storage is disabled, or something else has written there.
    return [];
  }
}

/** Whether this person, in this browser, wants the pictures of a sender at once. */
export const showsImagesOf = (user: number, address: string): boolean => read(user).includes(address);

export function showImagesOf(user: number, address: string): void {
  const others = read(user).filter((one) => one !== address);
  try {
    localStorage.setItem(nameOf(user), JSON.stringify([...others, address].slice(-SENDERS_MAX)));
  } catch {
    // They are shown this time, and asked for again the next time.
  }
}
