import type { Caller, CallerLimits } from "../core/caller.ts";
import { type FieldErrors, forbidden, problems } from "../core/errors.ts";
import { cidrProblems, liesWithin } from "./allowed-ips.ts";
import { abilityProblems, effectiveScopes, isWiderThan, type KeyType } from "./scopes.ts";

/** The tiers an operator has configured. */
export interface TierTable {
  readonly names: readonly string[];
  /** Requests per second; infinite where there is no limit. */
  rateOf(tier: string): number;
}

/** What decides how much a key may do. */
interface KeyPower {
  type: KeyType;
  abilities: readonly string[];
  rate_limit_tier: string;
  /** Null: never. */
  expires_at: Date | string | null;
  /** Empty: from anywhere. */
  allowed_ips: readonly string[];
}

interface KeyInput {
  type: KeyType;
  abilities?: readonly string[] | undefined;
  rate_limit_tier?: string | undefined;
  allowed_ips?: string[] | undefined;
}

export const TIER_DEFAULT = "standard";

export const defaultAbilities = (type: KeyType): string[] => (type === "limited" ? [] : ["*"]);

/** What is wrong with a key's abilities, tier and addresses; nothing when all is well. */
export function keyProblems(tiers: TierTable, input: KeyInput): FieldErrors {
  const { type, rate_limit_tier: tier } = input;
  const abilities = input.abilities ?? defaultAbilities(type);
  return problems({
    abilities:
      abilities.length === 0
        ? [`abilities must name at least one scope for a key of type ${type}.`]
        : abilityProblems(type, abilities),
    rate_limit_tier:
      tier === undefined || tiers.names.includes(tier)
        ? []
        : [`rate_limit_tier must be one of: ${tiers.names.join(", ")}.`],
    allowed_ips: cidrProblems("allowed_ips", input.allowed_ips),
  });
}

/** Nobody gives a key scopes they do not hold themselves. */
export function requireScopesWithin({ scopes }: Caller, type: KeyType, abilities: readonly string[]): void {
  if (isWiderThan(effectiveScopes(type, abilities), scopes))
    throw forbidden("The API key would have scopes that the caller of this request lacks.");
}

/**
 * Nobody creates, changes or rotates a key that can do more than they can: by scopes for everybody, and for a caller that
 * is itself a key also by tier, expiry and addresses. Otherwise a key could evade its limits by a copy of itself.
 */
export function requireWithin(caller: Caller, tiers: TierTable, key: KeyPower): void {
  requireScopesWithin(caller, key.type, key.abilities);
  if (!caller.limits) return;
  const [excess] = excesses(caller.limits, tiers, key);
  if (excess) throw forbidden(`A key cannot create, change or rotate a key with fewer limits than its own: ${excess}.`);
}

function excesses(limits: CallerLimits, tiers: TierTable, key: KeyPower): string[] {
  const found: string[] = [];
  if (tiers.rateOf(key.rate_limit_tier) > tiers.rateOf(limits.tier))
    found.push(`rate_limit_tier would be above ${limits.tier}`);
  if (limits.expiresAt && (key.expires_at === null || secondsOf(key.expires_at) > secondsOf(limits.expiresAt)))
    found.push("expires_at would be later than that of the calling key");
  if (limits.allowedIps && !liesWithin(key.allowed_ips, limits.allowedIps))
    found.push("allowed_ips would admit addresses that the calling key is not allowed to use");
  return found;
}

/** Records show whole seconds, so a fraction must not make the same time a later one. */
const secondsOf = (time: Date | string): number => Math.floor(new Date(time).getTime() / 1000);
