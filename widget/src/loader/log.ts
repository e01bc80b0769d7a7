/** The console of the page's developer is the only place where a mistake in the snippet can be seen. */
export function logError(text: string): void {
  // biome-ignore lint/suspicious/noConsole: a widget has no other way to say that its snippet is wrong
  console.error(`Parley: ${text}`);
}
