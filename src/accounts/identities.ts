import { userActor } from "../core/actor.ts";
import { forbidden } from "../core/errors.ts";
import { type Queryable, sql, type Tx } from "../db/database.ts";
import { recordAccountChange } from "./account-audit.ts";
import { emailProblems, normaliseEmail } from "./email.ts";
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
  if (email === null) throw forbidden("The identity provider did not confirm an e-mail address for you.");
  const adopted = await adopt(tx, email, from);
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

/** The address in its one spelling; null: the provider confirms none. */
export function verifiedEmailOf({ email, emailVerified }: VerifiedIdentity): string | null {
  const normalised = email === null ? null : normaliseEmail(email);
  return normalised === null || !emailVerified || emailProblems(normalised).length > 0 ? null : normalised;
}

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
async function adopt(tx: Tx, email: string, origin: Arrival["from"]): Promise<User | null> {
  const found = await findUserByEmail(tx, email);
  if (!found) return null;
  const { password_hash: hash, ...user } = found;
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

async function newcomer(tx: Tx, { identity, email }: Arrival & { email: string }): Promise<User> {
  const name = (identity.name ?? email.split("@")[0] ?? email).slice(0, 255);
  return createUser(tx, { name, email, passwordHash: null });
}
