import { userActor } from "../core/actor.ts";
import type { Caller } from "../core/caller.ts";
import { conflict, Fault } from "../core/errors.ts";
import { FIRST_WORKSPACE } from "../db/cell.ts";
import { type Database, type Queryable, sql, type Tx } from "../db/database.ts";
import { addMember, changeRole } from "./members.ts";
import { scopesOfRole } from "./roles.ts";
import { newToken, tokenDigest } from "./tokens.ts";
import { createUser, type NewUser, type User } from "./users.ts";

const hasOwner = sql("setup_has_owner", "select exists (select from memberships where role = 'owner') as present");
const putDigest = sql("setup_put", "update installation set setup_link_digest = $1");
const readDigest = sql("setup_read", "select setup_link_digest as digest from installation");
const lockDigest = sql("setup_lock", "select setup_link_digest as digest from installation for update");
const firstWorkspace = sql("setup_workspace", FIRST_WORKSPACE);

export async function needsSetup(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ present: boolean }>(hasOwner);
  return !row?.present;
}

/**
 * The token of a new one-time link, as long as this installation has no owner; null afterwards. An earlier link stops
 * working: only the operator can read the newest output of the server.
 */
export async function renewSetupLink(db: Database): Promise<string | null> {
  return db.transaction(async (tx) => {
    await tx.query(lockDigest);
    const token = (await needsSetup(tx)) ? newToken() : null;
    await tx.query(putDigest, [token && tokenDigest(token)]);
    return token;
  });
}

/** Refuses a wrong or used link before a password is computed for it. */
export async function requireSetupLink(db: Queryable, token: string, statement = readDigest): Promise<void> {
  const [row] = await db.query<{ digest: Buffer | null }>(statement);
  if (!(await needsSetup(db))) throw conflict("Parley is set up already. Sign in, or ask an owner for an invitation.");
  if (!row?.digest?.equals(tokenDigest(token)))
    throw new Fault("NOT_FOUND", "This set-up link is not valid. The server prints a new one when it starts.");
}

interface SetupRequest {
  token: string;
  from: { ip: string; requestId: string };
}

/** Creates the owner of the first workspace, with a password. */
export async function createFirstOwner(
  tx: Tx,
  request: SetupRequest,
  input: NewUser,
): Promise<{ user: User; caller: Caller }> {
  await requireSetupLink(tx, request.token, lockDigest);
  const user = await createUser(tx, input);
  return { user, caller: await becomeFirstOwner(tx, request, user) };
}

/** The row lock lets exactly one of several requests through. A user who is a member already becomes the owner. */
export async function becomeFirstOwner(tx: Tx, { token, from }: SetupRequest, user: User): Promise<Caller> {
  await requireSetupLink(tx, token, lockDigest);
  const [workspace] = await tx.query<{ id: number }>(firstWorkspace);
  if (!workspace) throw new Error("There is no first workspace.");
  const caller = { ...from, workspaceId: workspace.id, actor: userActor(user), scopes: scopesOfRole("owner") };
  await addMember(tx, caller, user.id, "owner");
  await changeRole(tx, { ...caller, role: null }, { id: user.id }, "owner");
  await tx.query(putDigest, [null]);
  return caller;
}
