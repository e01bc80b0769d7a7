/** Who caused a change. `name` is what a person would call it. */
export interface Actor {
  type: "contact" | "user" | "api_key" | "bot" | "system";
  id: number | null;
  name: string | null;
  /** Set where the change came in through an API key, whatever the actor's type. */
  apiKeyId?: number;
}

/**
 * The key to which a change counts as its own, for `skip_own_events`. A key that passes a contact's words on does not
 * become their author.
 */
export const ownKeyId = ({ type, apiKeyId }: Actor): number | null => (type === "contact" ? null : (apiKeyId ?? null));

export const userActor = ({ id, name }: { id: number; name: string }): Actor => ({ type: "user", id, name });
