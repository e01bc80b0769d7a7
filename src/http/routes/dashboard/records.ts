import { Type } from "typebox";
import { EMAIL_CHARS_MAX } from "../../../accounts/email.ts";
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from "../../../accounts/passwords.ts";
import { ROLES } from "../../../accounts/roles.ts";
import { SIGN_IN_METHODS } from "../../../accounts/sessions.ts";
import { SCOPES } from "../../../auth/scopes.ts";
import { Id, NullableString, NullableTimestamp, oneOf, Timestamp, Uuid } from "../../../resources/common.ts";

/** What people type. */
export const Name = Type.String({ trim: true, minLength: 1, maxLength: 255 });
export const Email = Type.String({ trim: true, minLength: 3, maxLength: EMAIL_CHARS_MAX });
export const NewPassword = Type.String({ minLength: PASSWORD_CHARS_MIN, maxLength: PASSWORD_CHARS_MAX });
/** One that is compared and not stored: only its greatest length is checked. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: PASSWORD_CHARS_MAX });
export const Token = Type.String({ minLength: 1, maxLength: 128 });
export const RoleName = oneOf(ROLES, { title: "Role" });

const WORKSPACE = { id: Id, uuid: Uuid, name: Type.String() };
export const WorkspaceName = Type.Object(WORKSPACE, { title: "WorkspaceName" });
export const WorkspaceWithRole = Type.Object({ ...WORKSPACE, role: RoleName }, { title: "WorkspaceWithRole" });

const USER = { id: Id, uuid: Uuid, name: Type.String(), email: Type.String() };

export const SessionRecord = Type.Object(
  {
    user: Type.Object(USER, { title: "User" }),
    role: RoleName,
    workspace: WorkspaceName,
    workspaces: Type.Array(WorkspaceWithRole),
    scopes: Type.Array(oneOf(SCOPES, { title: "Scope" })),
    expires_at: Timestamp,
  },
  { title: "Session" },
);

/** A browser in which somebody is signed in. */
export const SessionEntryRecord = Type.Object(
  {
    id: Id,
    ip: NullableString,
    user_agent: NullableString,
    method: oneOf(SIGN_IN_METHODS, { title: "SignInMethod" }),
    current: Type.Boolean(),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: "SessionEntry" },
);

export const SignedOut = Type.Object(
  { signed_out: Type.Literal(true), sessions: Type.Optional(Type.Integer()) },
  { title: "SignedOut" },
);

export const MemberRecord = Type.Object(
  { ...USER, role: RoleName, created_at: Timestamp, last_seen_at: NullableTimestamp },
  { title: "Member" },
);

const INVITATION = {
  id: Id,
  uuid: Uuid,
  email: Type.String(),
  role: RoleName,
  invited_by: Type.Unsafe<{ id: number; name: string } | null>({
    type: ["object", "null"],
    properties: { id: Id, name: Type.String() },
    required: ["id", "name"],
  }),
  created_at: Timestamp,
  expires_at: Timestamp,
  expired: Type.Boolean(),
};
export const InvitationRecord = Type.Object(INVITATION, { title: "Invitation" });
export const InvitationWithUrl = Type.Object({ ...INVITATION, url: Type.String() }, { title: "InvitationWithUrl" });

/** What somebody who holds an invitation's link may know before accepting it. */
export const InvitationPreview = Type.Object(
  {
    email: Type.String(),
    role: RoleName,
    workspace: WorkspaceName,
    expires_at: Timestamp,
    signed_in_as_invited: Type.Boolean(),
  },
  { title: "InvitationPreview" },
);
