import { userActor } from "../core/actor.ts";
import { withoutControlCharacters } from "../core/control-characters.ts";
import { type Fault, forbidden } from "../core/errors.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { recordAccountChange } from "./account-audit.ts";
import { emailProblems, isOwnSpelling, normaliseEmail } from "./email.ts";
import { acceptOpenInvitations } from "./invitations.ts";
import { addMember, membershipsOf } from "./members.ts";
import { endResetsOf } from "./password-resets.ts";
import { type Role, scopesOfRole } from "./roles.ts";
import { endSessionsOf } from "./sessions.ts";
import { resetTwoFactor } from "./two-factor.ts";
import { createUser, findUser, findUserByEmail, type User } from "./users.ts";

/** Whom the identity provider vouches for. */
export interface VerifiedIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
}

export interface SsoPolicy {
  /** Users without an invitation join this workspace; null: they are refused. */
  joinWorkspaceId: number | null;
  joinRole: Role;
}

const findStatement = sql("identity_find", "select user_id from user_identities where issuer = $1 and subject = $2");
const linkStatement = sql(
  "identity_link",
  "insert into user_identities (issuer, subject, user_id) values ($1, $2, $3)",
);
// A person who signs in for the first time, twice at the same moment, is created and linked once. First arrivals are rare:
// one lock for all of them also covers two identities with one address.
const lockArrivals = sql("identity_lock_arrivals", "select pg_advisory_xact_lock(hashtext('parley.first-sign-on'))");
const issuerStatement = sql(
  "identity_of_issuer",
  "select exists (select from user_identities where user_id = $1 and issuer = $2) as linked",
);
const unlinkStatement = sql("identity_unlink", "delete from user_identities where user_id = $1 returning issuer");
const dropPassword = sql("identity_drop_password", "update users set password_hash = null where id = $1");

interface Arrival {
  identity: VerifiedIdentity;
  policy: SsoPolicy;
  from: { ip: string | null; requestId: string | null };
}

/** The person behind an identity: known by it, found by a verified address, or new. */
export async function userOfIdentity(tx: Tx, arrival: Arrival): Promise<User> {
  const { identity, policy, from } = arrival;
  const email = verifiedEmailOf(identity);
  const known = (await linkedUser(tx, identity)) ?? (await linkedMeanwhile(tx, identity));
  if (known) {
    await returnIfInvited(tx, email, { user: known, ...from });
    return known;
  }
  if (email === null) throw withoutAddress(identity);
  const adopted = await adopt(tx, email, arrival);
  const user = adopted ?? (await newcomer(tx, { ...arrival, email }));
  await tx.query(linkStatement, [identity.issuer, identity.subject, user.id]);
  await acceptOpenInvitations(tx, email, { user, ...from });
  const { joinWorkspaceId } = policy;
  // An account without a workspace was removed from it: it needs an invitation to return.
  if (!adopted && joinWorkspaceId !== null && (await membershipsOf(tx, user.id)).length === 0) {
    const scopes = scopesOfRole(policy.joinRole);
    const caller = { ...from, workspaceId: joinWorkspaceId, actor: userActor(user), scopes };
    await addMember(tx, caller, user.id, policy.joinRole);
  }
  return user;
}

/** The address in its one spelling; null: the provider confirms none, or one that only looks like it. */
export function verifiedEmailOf({ email, emailVerified }: VerifiedIdentity): string | null {
  if (email === null || !emailVerified || !isOwnSpelling(email)) return null;
  const normalised = normaliseEmail(email);
  return emailProblems(normalised).length > 0 ? null : normalised;
}

const withoutAddress = ({ email, emailVerified }: VerifiedIdentity): Fault =>
  emailVerified && email !== null && !isOwnSpelling(email)
    ? forbidden(
        "The identity provider reports your e-mail address with characters that only look like those of an address " +
          "here. Have it corrected there.",
      )
    : forbidden("The identity provider did not confirm an e-mail address for you.");

/** For a person whose subject changed at the provider: the next one with their verified address is linked. */
export const unlinkIdentities = async (tx: Tx, userId: number): Promise<number> =>
  (await tx.query(unlinkStatement, [userId])).length;

/**
 * A removed member has neither a password nor a session to accept a new invitation with. Members of another workspace
 * open its link instead: nobody joins the workspace of a stranger, which would then see their sign-ins, by signing in.
 */
async function returnIfInvited(
  tx: Tx,
  email: string | null,
  accepting: Parameters<typeof acceptOpenInvitations>[2],
): Promise<void> {
  if (email === null || (await membershipsOf(tx, accepting.user.id)).length > 0) return;
  await acceptOpenInvitations(tx, email, accepting);
}

async function linkedUser(db: Queryable, { issuer, subject }: VerifiedIdentity): Promise<User | null> {
  const [row] = await db.query<{ user_id: number }>(findStatement, [issuer, subject]);
  return row ? findUser(db, { id: row.user_id }) : null;
}

async function linkedMeanwhile(tx: Tx, identity: VerifiedIdentity): Promise<User | null> {
  await tx.query(lockArrivals);
  return linkedUser(tx, identity);
}

/**
 * The address of this account was not verified until now, so another person may have created it. Now the provider has
 * verified it: what was set up before (password, links that reset it, second factors, sessions) ends.
 */
async function adopt(tx: Tx, email: string, { identity, from: origin }: Arrival): Promise<User | null> {
  const found = await findUserByEmail(tx, email);
  if (!found) return null;
  const { password_hash: hash, ...user } = found;
  await requireNoOtherSubject(tx, user.id, identity.issuer);
  await tx.query(dropPassword, [user.id]);
  const { totp, passkeys } = await resetTwoFactor(tx, user.id);
  await endResetsOf(tx, user.id);
  const changes = {
    password_removed: hash !== null,
    totp_removed: totp,
    passkeys_removed: passkeys,
    sessions_ended: await endSessionsOf(tx, user.id),
  };
  await recordAccountChange(tx, { user, origin, action: "user.sso_linked", changes });
  return user;
}

/**
 * The provider says with the subject who it is, not with the address: that may have been given to another person since,
 * and every other subject with it would get the account.
 */
async function requireNoOtherSubject(tx: Tx, userId: number, issuer: string): Promise<void> {
  const [row] = await tx.query<{ linked: boolean }>(issuerStatement, [userId, issuer]);
  if (row?.linked)
    throw forbidden(
      "The account with your e-mail address is linked to another identity at the provider. Ask the operator to unlink it.",
    );
}

async function newcomer(tx: Tx, { identity, email }: Arrival & { email: string }): Promise<User> {
  const given = withoutControlCharacters(identity.name ?? "") || (email.split("@")[0] ?? email);
  const name = given.slice(0, 255);
  return createUser(tx, { name, email, passwordHash: null });
}
