import { randomBytes } from "node:crypto";
import { Command, Option } from "commander";
import { type AccountChange, recordAccountChange } from "../accounts/account-audit.ts";
import { listPeople } from "../accounts/directory.ts";
import { emailProblems, normaliseEmail } from "../accounts/email.ts";
import { unlinkIdentities } from "../accounts/identities.ts";
import { operatorOf } from "../accounts/manager.ts";
import { addMember, changeRole, membershipsOf, removeMember, requireMayRemove } from "../accounts/members.ts";
import { endResetsOf } from "../accounts/password-resets.ts";
import { createPasswords, passwordProblems } from "../accounts/passwords.ts";
import { ROLES, type Role } from "../accounts/roles.ts";
import { endSessionsOf } from "../accounts/sessions.ts";
import { resetTwoFactor } from "../accounts/two-factor.ts";
import {
  createUser,
  deleteUser,
  findUser,
  findUserByEmail,
  lockUser,
  storePasswordHash,
  type User,
} from "../accounts/users.ts";
import { unassignAll, unassignInBatches } from "../conversations/unassign.ts";
import { Fault, notFound } from "../core/errors.ts";
import { parseRef } from "../core/ids.ts";
import type { Database, Tx } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { keyOptionsOf, type Store } from "../store.ts";
import { nameOf, workspaceOf } from "./keys.ts";
import { printJson, printTable, report } from "./output.ts";
import { withStore } from "./with-store.ts";

interface Common {
  workspace?: string;
  json?: true;
}

const PERSON = "e-mail address, id or uuid of the person";
const workspaceOption = (about: string) => new Option("--workspace <id>", `id or uuid of the workspace; ${about}`);
const passwordOption = () =>
  new Option("--password-stdin", "read the password from standard input instead of generating one");

export function usersCommand(): Command {
  return new Command("users")
    .description("People who sign in to the dashboard: create them, and help those who are locked out.")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(resetPasswordCommand())
    .addCommand(resetTwoFactorCommand())
    .addCommand(unlinkSsoCommand())
    .addCommand(setRoleCommand())
    .addCommand(signOutCommand())
    .addCommand(removeCommand());
}

interface PasswordOptions {
  passwordStdin?: true;
}

interface CreateOptions extends Common, PasswordOptions {
  email: string;
  name: string;
  role: Role;
}

function createCommand(): Command {
  return new Command("create")
    .description("Create a user and print their password, once.")
    .requiredOption("--email <address>", "what they sign in with")
    .requiredOption("--name <name>", "what people call them")
    .addOption(new Option("--role <role>", "what they may do").choices(ROLES).makeOptionMandatory())
    .addOption(workspaceOption("needed when there are several"))
    .addOption(passwordOption())
    .option("--json", "print JSON")
    .action((options: CreateOptions) =>
      withStore(async (store) => {
        const email = normaliseEmail(options.email);
        const [wrong] = emailProblems(email);
        if (wrong) throw new Fault("VALIDATION_ERROR", `--${wrong}`);
        const name = nameOf(options.name);
        const password = await choosePassword(options);
        const workspaceId = await workspaceOf(store, options);
        const passwordHash = await createPasswords().hash(password.text);
        const member = await store.db.transaction(async (tx) => {
          const user = await createUser(tx, { name, email, passwordHash });
          return addMember(tx, operatorOf(workspaceId), user.id, options.role);
        });
        const sentence = `Created ${member.name} <${member.email}>, ${member.role} of workspace ${workspaceId}.`;
        report(options, { ...member, workspace_id: workspaceId, ...password.shown }, `${sentence}${password.lines}`);
      }),
    );
}

function listCommand(): Command {
  return new Command("list")
    .description("List people and their roles in each workspace.")
    .option("--json", "print JSON")
    .action((options: Common) =>
      withStore(async ({ db }) => {
        const people = await listPeople(db);
        if (options.json) return printJson(people);
        printTable(
          ["ID", "NAME", "E-MAIL", "ROLES", "LAST SEEN"],
          people.map((person) => [
            person.id,
            person.name,
            person.email,
            person.workspaces.map(({ id, role }) => `${role} of ${id}`).join(", ") || null,
            person.last_seen_at,
          ]),
        );
      }),
    );
}

function resetPasswordCommand(): Command {
  return new Command("reset-password")
    .description("Give a user a new password, print it once, and sign them out everywhere.")
    .argument("<person>", PERSON)
    .addOption(passwordOption())
    .option("--json", "print JSON")
    .action((person: string, options: Common & PasswordOptions) =>
      withStore(async (store) => {
        const user = await personOf(store, person);
        const password = await choosePassword(options);
        const passwordHash = await createPasswords().hash(password.text);
        await changeAccount(store, user, "user.password_changed", async (tx) => {
          await storePasswordHash(tx, user.id, passwordHash);
          await endResetsOf(tx, user.id);
          return { sessions_ended: await endSessionsOf(tx, user.id) };
        });
        const sentence = `${user.name} <${user.email}> has a new password and is signed out everywhere.`;
        report(options, { ...user, ...password.shown }, `${sentence}${password.lines}`);
      }),
    );
}

function resetTwoFactorCommand(): Command {
  return new Command("reset-two-factor")
    .description("Remove a user's authenticator app, passkeys and recovery codes, and sign them out everywhere.")
    .argument("<person>", PERSON)
    .option("--json", "print JSON")
    .action((person: string, options: Common) =>
      withStore(async (store) => {
        const user = await personOf(store, person);
        const removed = await changeAccount(store, user, "user.two_factor_disabled", async (tx) => {
          const factors = await resetTwoFactor(tx, user.id);
          await endSessionsOf(tx, user.id);
          return factors;
        });
        const sentence = `${user.name} <${user.email}> signs in with the password alone and is signed out everywhere.`;
        report(options, { ...user, removed }, sentence);
      }),
    );
}

function unlinkSsoCommand(): Command {
  return new Command("unlink-sso")
    .description("Forget which identity of the provider a user is, and sign them out everywhere.")
    .argument("<person>", PERSON)
    .option("--json", "print JSON")
    .action((person: string, options: Common) =>
      withStore(async (store) => {
        const user = await personOf(store, person);
        const changes = await changeAccount(store, user, "user.sso_unlinked", async (tx) => ({
          identities: await unlinkIdentities(tx, user.id),
          sessions_ended: await endSessionsOf(tx, user.id),
        }));
        const sentence = `${user.name} <${user.email}> is linked to no identity and signed out everywhere.`;
        report(options, { ...user, ...changes }, sentence);
      }),
    );
}

function setRoleCommand(): Command {
  return new Command("set-role")
    .description("Set the role of a user in a workspace; adds them where they do not belong to it yet.")
    .argument("<person>", PERSON)
    .argument("<role>", ROLES.join(", "))
    .addOption(workspaceOption("needed when there are several"))
    .option("--json", "print JSON")
    .action((person: string, text: string, options: Common) =>
      withStore(async (store) => {
        const role = ROLES.find((name) => name === text);
        if (!role) throw new Fault("VALIDATION_ERROR", `The role must be one of: ${ROLES.join(", ")}.`);
        const user = await personOf(store, person);
        const workspaceId = await workspaceOf(store, options);
        const member = await store.db.transaction(async (tx) => {
          const operator = operatorOf(workspaceId);
          await addMember(tx, operator, user.id, role);
          return changeRole(tx, operator, { id: user.id }, role);
        });
        const sentence = `${member.name} <${member.email}> is now ${member.role} of workspace ${workspaceId}.`;
        report(options, { ...member, workspace_id: workspaceId }, sentence);
      }),
    );
}

function signOutCommand(): Command {
  return new Command("sign-out")
    .description("Sign a user out everywhere.")
    .argument("<person>", PERSON)
    .option("--json", "print JSON")
    .action((person: string, options: Common) =>
      withStore(async (store) => {
        const user = await personOf(store, person);
        const { sessions } = await changeAccount(store, user, "user.signed_out", async (tx) => ({
          sessions: await endSessionsOf(tx, user.id),
        }));
        report(options, { ...user, sessions }, `Ended ${sessions} sessions of ${user.name} <${user.email}>.`);
      }),
    );
}

function removeCommand(): Command {
  return new Command("remove")
    .description("Remove a user: from one workspace where one is named, else altogether.")
    .argument("<person>", PERSON)
    .addOption(workspaceOption("without it the person is deleted altogether"))
    .option("--json", "print JSON")
    .action((person: string, options: Common) =>
      withStore(async (store, config) => {
        const user = await personOf(store, person);
        const memberships = await membershipsOf(store.db, user.id);
        const left =
          options.workspace === undefined
            ? memberships.map((membership) => membership.workspace_id)
            : [await workspaceOf(store, options)];
        const { outbox } = keyOptionsOf(config);
        await removeFrom({ db: store.db, outbox }, user.id, left, { altogether: options.workspace === undefined });
        const where = options.workspace === undefined ? "altogether" : `from workspace ${left[0]}`;
        report(options, { ...user, removed_from: left }, `Removed ${user.name} <${user.email}> ${where}.`);
      }),
    );
}

/** Removes the person from these workspaces, where nothing is assigned to them any more. */
async function removeFrom(
  { db, outbox }: { db: Database; outbox: Outbox },
  userId: number,
  workspaceIds: readonly number[],
  { altogether }: { altogether: boolean },
): Promise<void> {
  const operators = workspaceIds.map(operatorOf);
  await db.transaction(async (tx) => {
    for (const operator of operators) await requireMayRemove(tx, operator, { id: userId });
  });
  for (const operator of operators) await unassignInBatches({ db, outbox }, operator, userId);
  await db.transaction(async (tx) => {
    for (const operator of operators) {
      await removeMember(tx, operator, { id: userId });
      await unassignAll({ tx, outbox, caller: operator }, userId);
    }
    if (altogether) await deleteUser(tx, userId);
  });
}

async function personOf({ db }: Store, text: string): Promise<User> {
  if (text.includes("@")) {
    const found = await findUserByEmail(db, text);
    if (!found) throw notFound(`user ${text}`);
    const { password_hash: _hash, ...user } = found;
    return user;
  }
  const ref = parseRef(text);
  if (!ref) throw notFound(`user ${text}`);
  return findUser(db, ref);
}

/** Changes an account, with an entry in each workspace of the user, by the operator of the installation. */
const changeAccount = <Changes extends Record<string, unknown>>(
  { db }: Store,
  user: User,
  action: AccountChange["action"],
  change: (tx: Tx) => Promise<Changes>,
): Promise<Changes> =>
  db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const changes = await change(tx);
    await recordAccountChange(tx, { user, origin: operatorOf(0), action, changes });
    return changes;
  });

interface ChosenPassword {
  text: string;
  /** What is printed of it: nothing, where the operator brought it. */
  shown: { password?: string };
  lines: string;
}

async function choosePassword({ passwordStdin }: PasswordOptions): Promise<ChosenPassword> {
  if (!passwordStdin) {
    const text = randomBytes(15).toString("base64url");
    return { text, shown: { password: text }, lines: `\nThe password, shown this once:\n${text}` };
  }
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  text = text.replace(/\r?\n$/, "");
  const [wrong] = passwordProblems(text);
  if (wrong) throw new Fault("VALIDATION_ERROR", `The ${wrong}`);
  return { text, shown: {}, lines: "" };
}
