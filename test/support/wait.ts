/** Waits for a condition, with a deadline: a test never sleeps for luck. */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 20 } = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value as NonNullable<T>;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms without success until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
