/** Who caused a change. `name` is what a person would call it. */
export interface Actor {
  type: "contact" | "user" | "api_key" | "bot" | "system";
  id: number | null;
  name: string | null;
  /** Set where the change came in through an API key, whatever the actor's type. */
  apiKeyId?: number;
}

export const userActor = ({ id, name }: { id: number; name: string }): Actor => ({ type: "user", id, name });

/** An actor and how it reached us: what an audit entry records. */
export interface Origin {
  actor: Actor;
  ip: string | null;
  requestId: string | null;
}

export const SYSTEM: Origin = { actor: { type: "system", id: null, name: null }, ip: null, requestId: null };
