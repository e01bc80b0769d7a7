import { membershipsOf } from "../accounts/members.ts";
import { deleteUser, findUserByEmail } from "../accounts/users.ts";
import type { KeyOptions } from "../auth/keys.ts";
import { deleteWorkspace } from "../auth/workspace-changes.ts";
import {
  createWorkspace,
  ensureFirstWorkspace,
  findDemoWorkspace,
  markAsDemo,
  type Workspace,
} from "../auth/workspaces.ts";
import { createSavedReply } from "../conversations/saved-replies.ts";
import { conflict, notFound } from "../core/errors.ts";
import type { SecretBox } from "../core/secret-box.ts";
import type { Database } from "../db/database.ts";
import type { FileLinks } from "../files/links.ts";
import type { UploadLimits } from "../files/upload.ts";
import { backdateSetup, writeKeyUsage, writeLastSeenTimes } from "./backdate.ts";
import { createDemoClock } from "./clock.ts";
import { PEOPLE, SAVED_REPLIES, WORKSPACE_NAME } from "./content.ts";
import { writeDeliveries } from "./deliveries.ts";
import { type DemoWriter, writeHistory } from "./history.ts";
import { createDemoMail, createDemoMailbox } from "./mail.ts";
import { callersOf, createKeys, createPeople, findCallers, newPassword } from "./people.ts";
import { createRandom } from "./random.ts";
import { createDemoWidget } from "./widget.ts";

export const DEMO_SIZES = { small: 60, large: 1_500 } as const;
export type DemoSize = keyof typeof DEMO_SIZES;

const SEED = 20_260_714;

export interface DemoOptions {
  db: Database;
  secretBox: SecretBox;
  keys: KeyOptions;
  links: FileLinks;
  fileLimits: UploadLimits;
  hashPassword: (password: string) => Promise<string>;
}

export interface Demo {
  workspace: Workspace;
  email: string;
  password: string;
  conversations: number;
  /** For what is written in it later. */
  writer: DemoWriter;
}

export async function requireNoDemo(db: Database): Promise<void> {
  const existing = await findDemoWorkspace(db);
  if (!existing) return;
  throw conflict(
    `There is a demo already: workspace ${existing.id}, ${existing.name}. Sign in as ${PEOPLE[0].email} with the password that was printed when it was created, or get a new one: node bin/parley.mjs users reset-password ${PEOPLE[0].email}. To begin again, remove the demo first: node bin/parley.mjs demo --remove.`,
  );
}

/** A workspace as a small shop would have it after two months. It is marked, so that `removeDemo` finds it. */
export async function createDemo(options: DemoOptions, size: DemoSize): Promise<Demo> {
  const { db, secretBox, keys, links } = options;
  // An installation's first workspace is its owner's: the demo must not become it.
  await ensureFirstWorkspace(db);
  await requireNoDemo(db);
  const password = newPassword();
  const passwordHash = await options.hashPassword(password);
  const random = createRandom(SEED);
  const { workspace, callers, mailboxId } = await db.transaction(async (tx) => {
    const created = await createWorkspace(tx, WORKSPACE_NAME);
    await markAsDemo(tx, created.id);
    const users = await createPeople(tx, created.id, passwordHash);
    await createDemoWidget(tx, secretBox, created.id);
    const mailbox = await createDemoMailbox(tx, secretBox, created.id);
    for (const reply of SAVED_REPLIES) await createSavedReply(tx, created.id, reply);
    await writeLastSeenTimes(tx, users);
    const apiKeys = await createKeys(tx, keys, created.id);
    await writeKeyUsage(tx, created.id, apiKeys);
    return { workspace: created, callers: callersOf(created.id, users, apiKeys), mailboxId: mailbox };
  });
  const writer = { db, workspaceId: workspace.id, outbox: keys.outbox, links, random, callers };
  const clock = createDemoClock(db, workspace.id);
  const mail = createDemoMail({ ...writer, secretBox, fileLimits: options.fileLimits, mailboxId, clock });
  try {
    await writeHistory(writer, { total: DEMO_SIZES[size], clock, mail });
    await writeDeliveries({ ...writer, secretBox });
    await backdateSetup(db, workspace.id);
  } catch (error) {
    await removeDemo(db).catch(() => {});
    throw error;
  } finally {
    await mail.close();
  }
  return { workspace, email: PEOPLE[0].email, password, conversations: DEMO_SIZES[size], writer };
}

/** The demo that exists, to keep writing in it. */
export async function openDemo({ db, keys, links }: DemoOptions): Promise<DemoWriter | null> {
  const workspace = await findDemoWorkspace(db);
  if (!workspace) return null;
  const callers = await findCallers(db, workspace.id);
  return { db, workspaceId: workspace.id, outbox: keys.outbox, links, random: createRandom(Date.now()), callers };
}

/** The workspace with everything in it, and the people who belong to nothing else. */
export async function removeDemo(db: Database): Promise<Workspace> {
  const workspace = await findDemoWorkspace(db);
  if (!workspace) throw notFound("demo");
  await deleteWorkspace(db, workspace.id);
  for (const { email } of PEOPLE) {
    const user = await findUserByEmail(db, email);
    if (user && (await membershipsOf(db, user.id)).length === 0) await db.transaction((tx) => deleteUser(tx, user.id));
  }
  return workspace;
}
