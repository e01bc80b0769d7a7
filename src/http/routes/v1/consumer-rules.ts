import type { Principal } from "../../../auth/principal.ts";
import { shownTypes } from "../../../consumers/consumer-reader.ts";
import type { Consumer, ConsumerSettings } from "../../../consumers/consumers.ts";
import { forbidden } from "../../../core/errors.ts";
import type { Queryable } from "../../../db/database.ts";
import { decodeCursor } from "../../../events/event-cursor.ts";
import { headOf } from "../../../events/event-reader.ts";
import { type PayloadFilter, parseFilter } from "../../../events/payload-filter.ts";
import { visibleTypes } from "../../pipeline/event-types.ts";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export const nameProblems = (name: string): string[] =>
  NAME.test(name)
    ? []
    : [
        "name must have 1 to 64 of the characters a-z, 0-9, dot, underscore and dash, and begin with a letter or digit.",
      ];

export function startProblems(workspaceId: number, start: string | undefined): string[] {
  if (start === "now" || start === "beginning") return [];
  if (start !== undefined && decodeCursor(workspaceId, start) !== null) return [];
  return ["start must be now, beginning or a cursor of GET /events."];
}

/** After the sequencer has caught up `now` is behind every event that was committed before the request. */
export async function startPosition(db: Queryable, workspaceId: number, start: string): Promise<number> {
  if (start === "beginning") return 0;
  if (start === "now") return headOf(db, workspaceId);
  return decodeCursor(workspaceId, start) as number;
}

/** Already checked. */
export function settingsOf(body: { types?: string[] | null; filter?: PayloadFilter | null }): ConsumerSettings {
  const filter = body.filter ?? null;
  const parsed = filter && parseFilter(filter);
  return { types: body.types ?? null, filter, filterPath: parsed?.ok ? parsed.path : null };
}

/** A reader that may see less than the consumer shows could acknowledge what it has not seen. */
export function requireMayRead(principal: Principal, consumer: Consumer): void {
  if (!maySee(principal, consumer)) throw forbidden("This consumer shows events that this key may not read.");
}

/** Only of who may read its events: by filters and how many match, anybody else could find out what is in them. */
export const maySeeLag = (principal: Principal, consumer: Consumer): boolean =>
  principal.scopes.has("events:read") && maySee(principal, consumer);

function maySee(principal: Principal, consumer: Consumer): boolean {
  const visible = visibleTypes(principal, {});
  return visible === null || shownTypes(consumer).every((type) => visible.includes(type));
}
