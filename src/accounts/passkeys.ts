import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { conflict, Fault, found, invalid } from "../core/errors.ts";
import { newUuid, type Ref, refValues } from "../core/ids.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import type { User } from "./users.ts";

/** The site that a passkey is bound to, as browsers see it. */
export interface RelyingParty {
  id: string;
  origin: string;
}

export interface Passkey {
  id: number;
  uuid: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

interface StoredPasskey {
  id: number;
  user_id: number;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: AuthenticatorTransport[];
}

const PASSKEYS_MAX = 20;

/** With its certificates' formats it is half a megabyte of code: loaded when a passkey is used. */
const loadWebAuthn = () => import("@simplewebauthn/server");

const COLUMNS = "id, uuid, name, created_at, last_used_at";
const listStatement = sql("passkey_list", `select ${COLUMNS} from passkeys where user_id = $1 order by id`);
const credentialsStatement = sql(
  "passkey_credentials",
  "select credential_id, transports from passkeys where user_id = $1 order by id",
);
const findStatement = sql(
  "passkey_find",
  `select id, user_id, credential_id, public_key, counter, transports
   from passkeys
   where credential_id = $1`,
);
const insertStatement = sql(
  "passkey_insert",
  `insert into passkeys (uuid, user_id, credential_id, public_key, counter, transports, name)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (credential_id) do nothing
   returning ${COLUMNS}`,
);
const usedStatement = sql("passkey_used", "update passkeys set counter = $2, last_used_at = now() where id = $1");
const deleteStatement = sql(
  "passkey_delete",
  `delete from passkeys
   where user_id = $1 and (id = $2 or uuid = $3)
   returning ${COLUMNS}`,
);
const deleteAllStatement = sql("passkey_delete_all", "delete from passkeys where user_id = $1 returning id");

export const listPasskeys = (db: Queryable, userId: number): Promise<Passkey[]> =>
  db.query<Passkey>(listStatement, [userId]);

export async function registrationOptions(
  db: Queryable,
  { id }: RelyingParty,
  user: User,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await credentialsOf(db, user.id);
  if (known.length >= PASSKEYS_MAX) throw conflict(`You have ${PASSKEYS_MAX} passkeys. Remove one first.`);
  const { generateRegistrationOptions } = await loadWebAuthn();
  return generateRegistrationOptions({
    rpName: "Parley",
    rpID: id,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.uuid),
    attestationType: "none",
    excludeCredentials: known,
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
}

export async function addPasskey(
  tx: Tx,
  userId: number,
  { party, challenge, name, response }: { party: RelyingParty; challenge: string; name: string; response: unknown },
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(() => null);
  if (!verified?.verified) throw invalid({ response: ["The passkey could not be verified. Try again."] });
  const { credential } = verified.registrationInfo;
  const [row] = await tx.query<Passkey>(insertStatement, [
    newUuid(),
    userId,
    credential.id,
    Buffer.from(credential.publicKey),
    credential.counter,
    credential.transports ?? [],
    name,
  ]);
  if (!row) throw conflict("This passkey is registered already.");
  return row;
}

/** `userId` null: any passkey that this browser holds; the person need not type an address. */
export async function authenticationOptions(
  db: Queryable,
  { id }: RelyingParty,
  userId: number | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  return generateAuthenticationOptions({
    rpID: id,
    allowCredentials: userId === null ? [] : await credentialsOf(db, userId),
    // Alone it must be two factors: the device, and the finger or PIN that unlocks it.
    userVerification: userId === null ? "required" : "preferred",
  });
}

interface Assertion {
  party: RelyingParty;
  challenge: string;
  response: unknown;
  /** Null: the user that the passkey belongs to. */
  userId: number | null;
}

/** Whose passkey signed the challenge. */
export async function verifyPasskey(db: Queryable, assertion: Assertion): Promise<number> {
  const { party, challenge, userId } = assertion;
  const response = assertion.response as AuthenticationResponseJSON;
  const [stored] = await db.query<StoredPasskey>(findStatement, [credentialIdOf(response)]);
  if (!stored || (userId !== null && stored.user_id !== userId)) throw refused();
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: userId === null,
    credential: {
      id: stored.credential_id,
      publicKey: new Uint8Array(stored.public_key),
      counter: stored.counter,
      transports: stored.transports,
    },
  }).catch(() => null);
  if (!verified?.verified) throw refused();
  await db.query(usedStatement, [stored.id, verified.authenticationInfo.newCounter]);
  return stored.user_id;
}

/** Whose passkey a response names, verified or not; null: nobody's. */
export async function ownerOfPasskey(db: Queryable, response: unknown): Promise<number | null> {
  const [stored] = await db.query<StoredPasskey>(findStatement, [credentialIdOf(response)]);
  return stored?.user_id ?? null;
}

const credentialIdOf = (response: unknown): string => String((response as { id?: unknown } | null)?.id ?? "");

export async function removePasskey(tx: Tx, userId: number, ref: Ref): Promise<Passkey> {
  return found("passkey", await tx.query<Passkey>(deleteStatement, [userId, ...refValues(ref)]));
}

export const dropPasskeys = async (db: Queryable, userId: number): Promise<number> =>
  (await db.query(deleteAllStatement, [userId])).length;

const refused = (): Fault => new Fault("UNAUTHORIZED", "This passkey is not known here, or it could not be verified.");

async function credentialsOf(db: Queryable, userId: number) {
  const rows = await db.query<Pick<StoredPasskey, "credential_id" | "transports">>(credentialsStatement, [userId]);
  return rows.map(({ credential_id: id, transports }) => ({ id, transports }));
}
