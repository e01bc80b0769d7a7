import type { ApiKey } from "../../api/api-keys.ts";
import { type Catalogue, type KeyType, scopesOfKey } from "../../api/catalogue.ts";
import { t } from "../../lib/texts.ts";

/** What the form holds while it is filled in. */
export interface KeyValues {
  name: string;
  description: string;
  type: KeyType;
  /** `*`: also abilities that are added later. */
  everything: boolean;
  scopes: readonly string[];
  tier: string;
  /** Never, in a number of days, or on a chosen date. */
  expiry: "never" | "7" | "30" | "90" | "365" | "date";
  expiryDate: string;
  /** One address or range per line. */
  addresses: string;
}

/** The fields of the API that the form shows. */
export const KEY_FIELDS = [
  ...["name", "description", "type", "abilities"],
  ...["rate_limit_tier", "expires_at", "allowed_ips"],
] as const;

export const EMPTY: KeyValues = {
  name: "",
  description: "",
  type: "limited",
  everything: true,
  scopes: [],
  tier: "standard",
  expiry: "never",
  expiryDate: "",
  addresses: "",
};

export function valuesOf(key: ApiKey, catalogue: Catalogue): KeyValues {
  return {
    name: key.name,
    description: key.description,
    type: key.type,
    everything: key.abilities.includes("*"),
    scopes: scopesOfKey(catalogue, key),
    tier: key.rate_limit_tier,
    expiry: key.expires_at ? "date" : "never",
    expiryDate: key.expires_at ? toLocalInput(new Date(key.expires_at)) : "",
    addresses: key.allowed_ips.join("\n"),
  };
}

export const abilitiesOf = ({ type, everything, scopes }: KeyValues): string[] =>
  everything && type !== "limited" ? ["*"] : [...scopes];

export const addressesOf = ({ addresses }: KeyValues): string[] =>
  addresses
    .split(/[\s,]+/)
    .map((address) => address.trim())
    .filter((address) => address !== "");

const DAY_MS = 86_400_000;

/** What the form can say by itself, by the API's field names. */
export function problemsOf(values: KeyValues): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  if (values.name.trim() === "") problems.name = [t("Enter a name.")];
  if (abilitiesOf(values).length === 0) problems.abilities = [t("Select at least one ability.")];
  if (values.expiry === "date") {
    const date = new Date(values.expiryDate);
    if (values.expiryDate === "" || Number.isNaN(date.getTime()))
      problems.expires_at = [t("Choose a date and a time.")];
    else if (date.getTime() <= Date.now()) problems.expires_at = [t("Choose a date in the future.")];
  }
  return problems;
}

/** Null: never. */
export function expiresAt({ expiry, expiryDate }: KeyValues): string | null {
  if (expiry === "never") return null;
  const date = expiry === "date" ? new Date(expiryDate) : new Date(Date.now() + Number(expiry) * DAY_MS);
  return date.toISOString();
}

/** What `<input type="datetime-local">` reads, in the reader's zone. */
function toLocalInput(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
