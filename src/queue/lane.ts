/** The deliveries of one webhook, as a whole: a row of `delivery_lanes`. */
export interface Lane {
  workspaceId: number;
  webhookId: number;
}

/** A lane as the key of a map. */
export const laneName = ({ workspaceId, webhookId }: Lane): string => `${workspaceId}:${webhookId}`;
