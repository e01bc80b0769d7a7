/** See client-exercise.mjs. */
export function exerciseClient(client: object, server: { url: string; key: string }): Promise<string>;
