import { randomBytes } from "node:crypto";
import { operatorOf } from "../accounts/manager.ts";
import { addMember } from "../accounts/members.ts";
import { createUser, findUserByEmail, type User } from "../accounts/users.ts";
import { keyReader } from "../auth/key-list.ts";
import { createKey, type KeyOptions } from "../auth/keys.ts";
import { operatorCaller } from "../auth/operator.ts";
import { type Actor, userActor } from "../core/actor.ts";
import type { Caller } from "../core/caller.ts";
import { conflict } from "../core/errors.ts";
import type { Queryable, Tx } from "../db/database.ts";
import type { ApiKeyRecord } from "../resources/api-key.ts";
import { KEYS, PEOPLE } from "./content.ts";

/** The users and keys that act in the demo. */
export interface DemoCallers {
  agents: Caller[];
  /** Writes the messages of contacts. */
  widget: Caller;
  /** Suggests replies. */
  bot: Caller;
}

/** Known only to the person who ran the command. */
export const newPassword = (): string => randomBytes(12).toString("base64url");

/** None of them is an owner, so that an installation without an owner can still be set up. */
export async function createPeople(tx: Tx, workspaceId: number, passwordHash: string): Promise<User[]> {
  const users: User[] = [];
  for (const { name, email, role } of PEOPLE) {
    const user = await createUser(tx, { name, email, passwordHash });
    await addMember(tx, operatorOf(workspaceId), user.id, role);
    users.push(user);
  }
  return users;
}

export async function createKeys(tx: Tx, keys: KeyOptions, workspaceId: number): Promise<ApiKeyRecord[]> {
  const created: ApiKeyRecord[] = [];
  for (const key of KEYS) created.push(await createKey(tx, keys, operatorCaller(workspaceId), key));
  return created;
}

export function callersOf(workspaceId: number, users: readonly User[], keys: readonly ApiKeyRecord[]): DemoCallers {
  const callerOf = (actor: Actor): Caller => ({ ...operatorCaller(workspaceId), actor });
  const keyCaller = (wanted: string): Caller => {
    const key = keys.find(({ name }) => name === wanted);
    if (!key) throw conflict(`The demo lacks its API key ${wanted}. Remove the demo and create it again.`);
    const { id, name, type } = key;
    return callerOf({ type: type === "bot" ? "bot" : "api_key", id, name, apiKeyId: id });
  };
  return {
    agents: users.map((user) => callerOf(userActor(user))),
    widget: keyCaller(KEYS[0].name),
    bot: keyCaller(KEYS[1].name),
  };
}

/** Those of a demo that exists. */
export async function findCallers(db: Queryable, workspaceId: number): Promise<DemoCallers> {
  const users = await Promise.all(PEOPLE.map(({ email }) => findUserByEmail(db, email)));
  const keys = await keyReader(db, workspaceId, {}).rows(KEYS_READ_MAX, 0, null);
  return callersOf(
    workspaceId,
    users.filter((user) => user !== null),
    keys,
  );
}

const KEYS_READ_MAX = 100;
