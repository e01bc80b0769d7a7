import { errors, type JWTPayload, jwtVerify } from "jose";
import { Fault } from "../core/errors.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { type Queryable, sql } from "../db/database.ts";
import { identityKey, identitySealContext } from "../widgets/identity-secret.ts";
import { SKEW_SECONDS } from "./authorise.ts";
import type { Identity, Visitor } from "./visitor.ts";

const AHEAD_SECONDS_MAX = 3_600;
const TOKEN_CHARS_MAX = 16_384;
const NAME_CHARS_MAX = 255;
const EMAIL_CHARS_MAX = 320;
const ATTRIBUTES_BYTES_MAX = 16_384;

const keysStatement = sql(
  "widget_identity_keys",
  `select w.secret_sealed as sealed, 'infinity'::timestamptz > now() as is_valid
   from widgets w
   where w.workspace_id = $1
     and w.id = $2
   union all
   select old ->> 'sealed', (old ->> 'ends_at')::timestamptz > now()
   from widgets w
   cross join lateral jsonb_array_elements(w.previous_secrets) old
   where w.workspace_id = $1
     and w.id = $2`,
);

/** The identity that a token proves, and when it ends. */
export interface ProvenIdentity {
  identity: Identity;
  expiresAt: Date;
}

/** Verifies an identity token with the secrets of the widget: HS256 and nothing else. */
export async function verifyIdentity(
  db: Queryable,
  secretBox: SecretBox,
  { workspaceId, widget }: Pick<Visitor, "workspaceId" | "widget">,
  token: string,
): Promise<ProvenIdentity> {
  if (token.length > TOKEN_CHARS_MAX) throw refused("the token is too long");
  const rows = await db.query<{ sealed: string; is_valid: boolean }>(keysStatement, [workspaceId, widget.id]);
  const keys = rows
    .filter(({ is_valid }) => is_valid)
    .map(({ sealed }) => identityKey(secretBox.open(sealed, identitySealContext(widget.uuid))));
  const payload = await payloadOf(token, keys, widget.publicId);
  return { identity: identityOf(payload), expiresAt: expiryOf(payload) };
}

async function payloadOf(token: string, keys: readonly Buffer[], publicId: string): Promise<JWTPayload> {
  const options = { algorithms: ["HS256"], clockTolerance: SKEW_SECONDS, requiredClaims: ["exp", "sub"] };
  for (const key of keys)
    try {
      const { payload } = await jwtVerify(token, key, options);
      if (payload.aud !== undefined && payload.aud !== publicId) throw refused('"aud" is not this widget');
      return payload;
    } catch (error) {
      // Another secret may have signed it, during the overlap of a rotation.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw toFault(error);
    }
  throw refused("the signature is not that of this widget's secret");
}

function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof errors.JWTExpired)
    return new Fault("IDENTITY_EXPIRED", "The identity token has expired. The page gives a new one.");
  if (error instanceof errors.JOSEAlgNotAllowed) return refused('"alg" must be HS256');
  if (error instanceof errors.JWTClaimValidationFailed) return refused(`"${error.claim}" is missing or not valid`);
  if (error instanceof errors.JOSEError) return refused("it is not a signed JWT");
  throw error;
}

function expiryOf({ exp = 0 }: JWTPayload): Date {
  if (exp > Date.now() / 1_000 + AHEAD_SECONDS_MAX + SKEW_SECONDS) throw refused('"exp" is more than an hour ahead');
  return new Date(exp * 1_000);
}

function identityOf({ sub = "", name, email, attributes }: JWTPayload): Identity {
  // A JWT may hold anything: the type of a claim is only what RFC 7519 asks for.
  if (!sub || !isText(sub, NAME_CHARS_MAX) || sub.trim() === "") throw refused('"sub" must have 1 to 255 characters');
  if (!isText(name, NAME_CHARS_MAX)) throw refused('"name" must be a text of at most 255 characters');
  if (!isText(email, EMAIL_CHARS_MAX) || (email && !/^[^\s@]+@[^\s@]+$/.test(email)))
    throw refused('"email" must be an e-mail address');
  if (!isAttributes(attributes))
    throw refused(`"attributes" must be an object of at most ${ATTRIBUTES_BYTES_MAX} bytes`);
  const texts = { ...(name ? { name } : {}), ...(email ? { email } : {}) };
  return { sub: sub.trim(), ...texts, ...(attributes ? { attributes } : {}) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL stores every character but this one
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

const isText = (value: unknown, charsMax: number): value is string | null | undefined =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.length <= charsMax && !UNSTORABLE.test(value));

function isAttributes(value: unknown): value is Record<string, unknown> | null | undefined {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object" || Array.isArray(value)) return false;
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) <= ATTRIBUTES_BYTES_MAX && !/\\u(?:0000|d[89a-f])/i.test(json);
}

const refused = (why: string): Fault => new Fault("IDENTITY_INVALID", `The identity token is refused: ${why}.`);
