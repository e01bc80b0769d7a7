import { Type } from "typebox";
import { ABILITIES, effectiveScopes, KEY_TYPES, SCOPE_CATALOGUE, SCOPES, scopesOfType } from "../../../auth/scopes.ts";
import { NullableInteger, oneOf } from "../../../resources/common.ts";
import { route } from "./services.ts";

const ScopeName = oneOf(SCOPES);

const CatalogueRecord = Type.Object(
  {
    scopes: Type.Array(Type.Object({ name: ScopeName, description: Type.String() })),
    key_types: Type.Array(
      Type.Object({
        type: oneOf(KEY_TYPES),
        scopes: Type.Array(ScopeName),
        abilities: Type.Array(Type.Object({ name: Type.String(), scopes: Type.Array(ScopeName) }), {
          description: "Each ability with the scopes that a key of this type has by it.",
        }),
      }),
    ),
    rate_limit_tiers: Type.Array(
      Type.Object({ name: Type.String(), requests: NullableInteger, seconds: NullableInteger }),
    ),
    retry_schedule_seconds: Type.Array(Type.Integer()),
  },
  { title: "Catalogue" },
);

/** What this installation offers, so that the pages hold no copy of it. */
export const catalogueRoutes = [
  route({
    method: "GET",
    path: "/catalogue",
    summary: "Scopes, key types, rate limit tiers and the retry schedule of this installation",
    access: "any",
    success: { status: 200, data: CatalogueRecord },
    handler: async (_context, { tierLimits, retrySchedule }) => ({
      data: {
        scopes: SCOPES.map((name) => ({ name, description: SCOPE_CATALOGUE[name] })),
        key_types: KEY_TYPES.map((type) => ({
          type,
          scopes: [...scopesOfType(type)],
          abilities: ABILITIES.map((name) => ({ name, scopes: [...effectiveScopes(type, [name])] })),
        })),
        rate_limit_tiers: Object.entries(tierLimits).map(([name, limit]) => ({
          name,
          requests: limit?.requests ?? null,
          seconds: limit?.windowSeconds ?? null,
        })),
        retry_schedule_seconds: [...retrySchedule],
      },
    }),
  }),
];
